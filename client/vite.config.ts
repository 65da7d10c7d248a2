import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Rolldown } from "vite";
import { workshop } from "./dev/workshop.js";
import { games } from "./games.plugin.js";
import { hosts } from "./hosts.plugin.js";

// The server of the package, while the client is developed beside it: PLENILUNE_SERVER=http://127.0.0.1:8000 npm run dev
const server = process.env["PLENILUNE_SERVER"] ?? "http://127.0.0.1:8000";

// What every table needs, and most of it every page.
const SHARED =
  /node_modules\/(svelte|esm-env|clsx|@noble)\/|\/src\/(art\/(?!Defs)|browser\/|dice\/|i18n\/(?!messages)|net\/(?!socket|assisted|serverTable)|protocol\/|app\/(?!pages\/|local|lobby|friends)|play\/(frame|scene|share|choosing|table\/(chat|rematch|seats|sentences)))[^?]*\.(ts|svelte)$/;

/** Of a game's folder everything that its board needs at once, and the home page does not, is one file. */
function boardOf(id: string, modules: Rolldown.ChunkingContext): string | null {
  const folder = /^.*\/games\/(\w+)\//.exec(id);
  if (!folder) return null;
  const reached = (from: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(from)) return seen;
    seen.add(from);
    modules.getModuleInfo(from)?.importedIds.forEach((next) => reached(next, seen));
    return seen;
  };
  const [board, home] = ["index.ts", "home.ts"].map((file) => reached(folder[0] + file));
  return board!.has(id) && !home!.has(id) ? folder[1]! : null;
}

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
        // one file instead of thirty small ones
        codeSplitting: { groups: [{ name: "shared", test: SHARED, priority: 1 }, { name: boardOf, includeDependenciesRecursively: false }] },
      },
      checks: { bundlerTimings: false }, // how long the build took is nobody's concern
    },
  },
  server: {
    host: "127.0.0.1",
    proxy: { "/api": { target: server, ws: true } },
  },
});
