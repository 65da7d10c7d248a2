import { mount } from "svelte";
import "./theme.css";
import App from "./App.svelte";
import { preferences } from "./preferences.svelte";

await preferences.apply();
mount(App, { target: document.getElementById("app")! });
