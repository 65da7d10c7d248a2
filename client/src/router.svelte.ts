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

class Router {
  current = $state.raw<Route>(route(location.pathname, location.search));

  constructor() {
    addEventListener("popstate", () => this.read());
    document.addEventListener("click", (event) => this.click(event));
  }

  go(path: string, replace = false): void {
    if (replace) history.replaceState(null, "", path);
    else history.pushState(null, "", path);
    this.read();
    scrollTo(0, 0);
  }

  private read(): void {
    this.current = route(location.pathname, location.search);
  }

  private click(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = (event.target as Element).closest("a");
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.pathname.startsWith("/api/") || (link.hash && link.pathname === location.pathname)) return;
    event.preventDefault();
    this.go(link.pathname + link.search + link.hash);
  }
}

export const router = new Router();
