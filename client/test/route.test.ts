import { expect, test } from "vitest";
import { route } from "../src/route";

test.each([
  ["/", "", { page: "home", create: null }],
  ["/", "?new=moon-leap", { page: "home", create: "moon-leap" }],
  ["/table/abcdefghjkmnpqrs", "", { page: "table", id: "abcdefghjkmnpqrs" }],
  ["/table/abcdefghjkmnpqrs/replay", "?ply=3", { page: "replay", id: "abcdefghjkmnpqrs" }],
  ["/table/abcdefghjkmnpqrs/dice", "", { page: "dice", id: "abcdefghjkmnpqrs" }],
  ["/learn/nova-luna", "", { page: "learn", game: "nova-luna" }],
  ["/daily/nova-luna/", "", { page: "daily", game: "nova-luna" }],
  ["/table", "", { page: "lost" }],
  ["/table/x/y", "", { page: "lost" }],
  ["/somewhere/else", "", { page: "lost" }],
])("%s%s", (path, search, meant) => expect(route(path, search)).toEqual(meant));
