import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [svelte()],
  test: { include: ["test/**/*.test.ts", "src/games/*/test/**/*.test.ts"], environment: "node" },
});
