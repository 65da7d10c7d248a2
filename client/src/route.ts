/** Which page the address means. Every page has an address of its own; links are plain links. */
export type Route =
  | { page: "home"; create: string | null }
  | { page: "table"; id: string }
  | { page: "replay"; id: string }
  | { page: "dice"; id: string }
  | { page: "learn"; game: string }
  | { page: "rules"; game: string }
  | { page: "daily"; game: string }
  | { page: "lost" };

export function route(path: string, search = ""): Route {
  const [first = "", second = "", third = ""] = path.split("/").filter((part) => part).map(decodeURIComponent);
  if (first === "") return { page: "home", create: new URLSearchParams(search).get("new") };
  if (first === "table" && second && !third) return { page: "table", id: second };
  if (first === "table" && second && (third === "replay" || third === "dice")) return { page: third, id: second };
  if ((first === "learn" || first === "rules" || first === "daily") && second && !third) return { page: first, game: second };
  return { page: "lost" };
}
