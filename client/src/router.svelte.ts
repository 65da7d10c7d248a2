import { route, type Route } from "./route";

export type { Route } from "./route";

/** Goes from page to page without loading anew. */
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
