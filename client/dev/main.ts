import { mount } from "svelte";
import "../src/app/theme.css";
import { preferences } from "../src/browser/preferences.svelte";
import { speech } from "../src/i18n/language.svelte";
import Workshop from "./Workshop.svelte";

await preferences.apply();
await speech.learnAll();
mount(Workshop, { target: document.getElementById("app")! });
