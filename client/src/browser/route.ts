/** Which page an address means. Every page has an address of its own; links are plain links. */
export type Route =
  | { page: "home"; create: string | null }
  | { page: "table"; id: string }
  | { page: "replay"; id: string; ply: number }
  | { page: "dice"; id: string }
  | { page: "learn"; game: string }
  | { page: "rules"; game: string }
  | { page: "daily"; game: string }
  | { page: "components"; game: string }
  | { page: "lost" };

/** The page at a path of the application, which may have a query. */
export function route(place: string): Route {
  const [path = "", query] = place.split("#")[0]!.split("?");
  const words = new URLSearchParams(query);
  const [first = "", second = "", third = ""] = partsOf(path);
  if (first === "") return { page: "home", create: words.get("new") };
  if (first === "table" && second && !third) return { page: "table", id: second };
  if (first === "table" && second && third === "replay") return { page: "replay", id: second, ply: Number(words.get("ply") ?? 0) };
  if (first === "table" && second && third === "dice") return { page: "dice", id: second };
  if ((first === "learn" || first === "rules" || first === "daily" || first === "components") && second && !third) return { page: first, game: second };
  return { page: "lost" };
}

function partsOf(path: string): string[] {
  try {
    return path.split("/").filter((part) => part).map(decodeURIComponent);
  } catch {
    return ["lost"]; // not encoded as addresses are
  }
}

/** What `location`, a link and a `URL` have in common. */
interface Address {
  origin: string;
  pathname: string;
  search: string;
  hash: string;
}

/** The address of a page: a static host knows only the one file, so there the path stands behind its `#`. */
export function addressOf(path: string, hasServer: boolean): string {
  return hasServer ? path : `#${path}`;
}

/** The path that an address means. */
export function pathOf(address: Address, hasServer: boolean): string {
  if (hasServer) return address.pathname + address.search + address.hash;
  return address.hash.startsWith("#/") ? address.hash.slice(1) : `/${address.search}`;
}

/** The path to which a link on a page leads, or null if that is for the browser to open. */
export function pathOfLink(link: Address, page: Address, hasServer: boolean): string | null {
  const there = hasServer ? !link.pathname.startsWith("/api/") : link.pathname === page.pathname && link.hash.startsWith("#/");
  const within = hasServer && link.hash !== "" && link.pathname === page.pathname; // a heading, or another invite
  return there && !within && link.origin === page.origin ? pathOf(link, hasServer) : null;
}
