import { expect, test } from "vitest";
import { meetingPlace } from "../src/app/friends";

test.each([
  ["https://play.example.org", "https://play.example.org"],
  [" https://play.example.org/table/abc?x#y ", "https://play.example.org"],
  ["play.example.org", "https://play.example.org"],
  ["play.example.org:8443", "https://play.example.org:8443"],
  ["http://localhost:7272/", "http://localhost:7272"],
  ["localhost:7272", "http://localhost:7272"],
  ["http://127.0.0.1:7272", "http://127.0.0.1:7272"],
  ["192.168.1.20:7272", "http://192.168.1.20:7272"],
  ["http://10.1.2.3", "http://10.1.2.3"],
  ["http://172.31.0.1", "http://172.31.0.1"],
  ["http://[::1]:7272", "http://[::1]:7272"],
  ["http://[fe80::1]", "http://[fe80::1]"],
  ["http://[fd12:3456::1]", "http://[fd12:3456::1]"],
  ["http://moonpi:7272", "http://moonpi:7272"],
  ["http://moonpi.local", "http://moonpi.local"],
])("%j is a place to meet", (text, address) => expect(meetingPlace(text)).toEqual({ address }));

test.each(["http://play.example.org", "http://172.32.0.1", "http://192.169.1.1", "http://8.8.8.8", "http://[2001:db8::1]", "http://localhost.example.org", "http://10.0.0.1.example.org"])(
  "%j can be overheard",
  (text) => expect(meetingPlace(text)).toEqual({ problem: "insecure" }),
);

test.each(["", "https://", "my friend's place", "ftp://play.example.org", "javascript:alert(1)", "javascript://play.example.org/%0aalert(1)", "https://user:word@play.example.org", "file:///etc/passwd"])(
  "%j is not an address of a server",
  (text) => expect(meetingPlace(text)).toEqual({ problem: "unreadable" }),
);
