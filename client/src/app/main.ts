import { mount } from "svelte";
import "./theme.css";
import App from "./App.svelte";
import { keepPages } from "./offline";
import { loadPage } from "./pages";
import { preferences } from "../browser/preferences.svelte";
import { router } from "../browser/router.svelte";

void loadPage(router.current); // while the language is being loaded
await preferences.apply();
mount(App, { target: document.getElementById("app")! });
void keepPages();
