import { pathOf, pathOfLink, route, type Route } from "./route";
import { hasServer, to } from "./server";

export type { Route } from "./route";

/** Goes from page to page without reloading. */
class Router {
  current = $state.raw<Route>(here());

  constructor() {
    addEventListener("popstate", () => this.update());
    document.addEventListener("click", (event) => this.click(event));
  }

  go(path: string, replace = false): void {
    if (replace) history.replaceState(null, "", to(path));
    else history.pushState(null, "", to(path));
    this.update();
    scrollTo(0, 0);
  }

  private update(): void {
    this.current = here();
  }

  private click(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = (event.target as Element).closest("a");
    if (!link || link.target || link.hasAttribute("download")) return;
    const path = pathOfLink(link, location, hasServer);
    if (path === null) return;
    event.preventDefault();
    this.go(path);
  }
}

function here(): Route {
  return route(pathOf(location, hasServer));
}

export const router = new Router();
