/** The pages. Each is loaded when somebody goes there; what it needs is in its route. */
import type { Component } from "svelte";
import type { Route } from "../browser/route";
import { speech } from "../i18n/language.svelte";

const PAGES: Record<Exclude<Route["page"], "lost">, () => Promise<{ default: Component<any> }>> = {
  home: () => import("./pages/Home.svelte"),
  table: () => import("./pages/TablePage.svelte"),
  replay: () => import("./pages/ReplayPage.svelte"),
  dice: () => import("./pages/DicePage.svelte"),
  learn: () => import("./pages/LearnPage.svelte"),
  rules: () => import("./pages/RulesPage.svelte"),
  components: () => import("./pages/ComponentsPage.svelte"),
  daily: () => import("./pages/DailyPage.svelte"),
};

/** The page's component, with what it says; null if there is no such page, or it cannot be loaded. */
export async function loadPage({ page }: Route): Promise<Component<any> | null> {
  if (page === "lost") return null;
  const words = page === "table" ? null : speech.learnAll(); // a table is opened without most of them
  const loading = Promise.all([PAGES[page](), words]);
  return loading.then(([loaded]) => loaded.default, () => null);
}
