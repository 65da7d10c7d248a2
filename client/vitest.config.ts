import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { games } from "./games.plugin.js";

export default defineConfig({
  plugins: [svelte(), games()],
  test: { include: ["test/*.test.ts", "src/games/*/test/**/*.test.ts"], environment: "node" },
});
