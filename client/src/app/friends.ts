/** Where friends meet: the address of a server, as somebody writes it. */

type Meeting = { address: string } | { problem: "unreadable" | "insecure" };

/** Without https only where nobody else can listen: on this machine, and in a private network. */
export function meetingPlace(text: string): Meeting {
  const url = parsed(text.trim());
  if (!url || url.username || url.password) return { problem: "unreadable" };
  if (url.protocol === "http:" && !isPrivate(url.hostname)) return { problem: "insecure" };
  return { address: url.origin };
}

function parsed(text: string): URL | null {
  const complete = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(complete) ? new URL(complete) : null;
  if (url?.protocol === "https:" && complete !== text && isPrivate(url.hostname)) return parsed(`http://${text}`);
  return url && /^https?:$/.test(url.protocol) ? url : null;
}

function isPrivate(host: string): boolean {
  return PRIVATE.some((pattern) => pattern.test(host));
}
const PRIVATE = [
  /^[^.:]+$/, // localhost, and names within a house
  /\.(localhost|local|home\.arpa|internal)$/,
  /^(127|10)\.\d+\.\d+\.\d+$/,
  /^(192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\.\d+\.\d+$/,
  /^\[(::1|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*)\]$/,
];

const STORAGE_KEY = "plenilune.server";

export function lastMeetingPlace(): string {
  try {
    return localStorage.getItem(STORAGE_KEY) ?? "";
  } catch {
    return "";
  }
}

export function rememberMeetingPlace(address: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, address);
  } catch {
    // storage is blocked: it is asked for again
  }
}
