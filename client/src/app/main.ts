import { mount } from "svelte";
import "./theme.css";
import App from "./App.svelte";
import { keepPages } from "./offline";
import { loadPage } from "./pages";
import { preferences } from "../browser/preferences.svelte";
import { router } from "../browser/router.svelte";

const target = document.getElementById("app")!;
const speaking = preferences.apply();
void loadPage(router.current); // at the same time
try {
  await speaking;
  mount(App, { target });
  void keepPages();
} catch {
  target.textContent = "Plenilune could not be loaded. Please reload the page."; // there are no words of any language
}
