/** The files around the application. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const read = (file: string) => readFileSync(path.resolve(import.meta.dirname, "..", file), "utf8");

test("an app installed from these pages is known by their address: an id would count from the host's root", () => {
  const manifest = JSON.parse(read("public/manifest.webmanifest")) as { id?: string; start_url: string };
  const pages = "https://host.example/games/moonlit/";
  const start = new URL(manifest.start_url, `${pages}manifest.webmanifest`);
  const id = manifest.id === undefined ? start : new URL(manifest.id, start.origin);
  expect(id.href).toBe(pages);
});

test("without scripts the page says in one sentence what it needs", () => {
  const [, said] = /<noscript>(.*)<\/noscript>/.exec(read("index.html")) ?? [];
  expect(said).toMatch(/^[^.<]*JavaScript[^.<]*\.$/);
});
