import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { workshop } from "./dev/workshop.js";

// The server of the package, while the client is developed beside it: PLENILUNE_SERVER=http://127.0.0.1:8000 npm run dev
const server = process.env["PLENILUNE_SERVER"] ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [svelte(), workshop()],
  build: {
    outDir: "../plenilune/web",
    emptyOutDir: true,
    target: "es2023",
    assetsInlineLimit: 0, // the server's content policy allows no data: addresses
    modulePreload: { polyfill: false },
    rolldownOptions: { checks: { bundlerTimings: false } }, // how long the build took is nobody's concern
  },
  server: {
    host: "127.0.0.1",
    proxy: { "/api": { target: server, ws: true } },
  },
});
