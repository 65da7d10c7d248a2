import { mount } from "svelte";
import "../src/theme.css";
import { preferences } from "../src/preferences.svelte";
import { speech } from "../src/i18n/language.svelte";
import Workshop from "./Workshop.svelte";

await preferences.apply();
await speech.speak(preferences.get("language"));
mount(Workshop, { target: document.getElementById("app")! });
