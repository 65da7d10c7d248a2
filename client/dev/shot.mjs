// node dev/shot.mjs URL out.png 1440x900|390x844 dark|light ["a selector to click" …]: a picture of a page.
// A page is ready when something on it carries `data-ready`. Prints what the console said and whether anything overflows.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const [url, out, size = "1440x900", theme = "dark", ...clicks] = process.argv.slice(2);
const [width, height] = size.split("x").map(Number);
const executablePath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));
const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
try {
  const phone = width < 760;
  const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor: phone ? 2 : 1, colorScheme: theme, hasTouch: phone, isMobile: phone });
  page.on("console", (message) => console.log(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => console.log(`error: ${error.message}`));
  const address = new URL(url);
  address.searchParams.set("theme", theme);
  await page.goto(address.href);
  await page.waitForSelector("[data-ready]", { timeout: 20_000 });
  for (const click of clicks) {
    await page.click(click, { timeout: 5000 });
    await page.waitForTimeout(500);
  }
  await page.waitForTimeout(400);
  await page.screenshot({ path: out });
  const spill = await page.evaluate(() => ({ x: document.documentElement.scrollWidth - innerWidth, y: document.documentElement.scrollHeight - innerHeight }));
  if (spill.x > 0 || spill.y > 0) console.log(`the page is larger than the screen by ${spill.x} × ${spill.y}`);
} finally {
  await browser.close();
}
