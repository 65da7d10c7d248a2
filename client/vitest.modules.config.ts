import { defineConfig } from "vitest/config";

// What needs compiled modules: run by tests/wasm/test_page.py, which says where they are.
export default defineConfig({
  test: { include: ["test/modules/**/*.test.ts"], environment: "node", testTimeout: 600_000 },
});
