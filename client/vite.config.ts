import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { workshop } from "./dev/workshop.js";
import { games } from "./games.plugin.js";
import { hosts } from "./hosts.plugin.js";

// The server of the package, while the client is developed beside it: PLENILUNE_SERVER=http://127.0.0.1:8000 npm run dev
const server = process.env["PLENILUNE_SERVER"] ?? "http://127.0.0.1:8000";

// What every table needs, and most of it every page.
const SHARED =
  /node_modules\/(svelte|esm-env|clsx|@noble)\/|\/src\/(art\/(?!Defs)|browser\/(?!storage)|dice\/|i18n\/(?!messages)|net\/|protocol\/|app\/(?!pages\/|local|friends)|play\/(frame|scene|share|choosing))[^?]*\.(ts|svelte)$/;

export default defineConfig({
  base: "./", // the pages may lie anywhere
  plugins: [svelte(), games(), hosts(), workshop()],
  build: {
    outDir: process.env["PLENILUNE_WEB"] ?? "../plenilune/web",
    emptyOutDir: true,
    target: "es2023",
    assetsInlineLimit: 0, // the server's content policy allows no data: addresses
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { main: "index.html", sw: "src/offline/worker.ts" },
      // A service worker keeps one address forever, and its scope is its own folder.
      output: {
        entryFileNames: ({ name }) => (name === "sw" ? "sw.js" : "assets/[name]-[hash].js"),
        codeSplitting: { groups: [{ name: "shared", test: SHARED }] }, // one file instead of thirty small ones
      },
      checks: { bundlerTimings: false }, // how long the build took is nobody's concern
    },
  },
  server: {
    host: "127.0.0.1",
    proxy: { "/api": { target: server, ws: true } },
  },
});
