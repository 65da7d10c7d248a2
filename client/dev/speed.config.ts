import { defineConfig } from "vite";

// The pages' rules and bots without the pages, as they are shipped: for `python -m benchmarks.browser`.
export default defineConfig({
  root: "dev",
  base: "./",
  build: { outDir: process.env["PLENILUNE_SPEED"] ?? "", target: "es2023", emptyOutDir: true, rolldownOptions: { input: "dev/speed.html" } },
});
