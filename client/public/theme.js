// Before the first paint, so that no page flashes in the wrong theme.
(() => {
  const asked = new URLSearchParams(location.search).get("theme");
  let kept = null;
  try {
    kept = JSON.parse(localStorage.getItem("plenilune.preferences") || "{}").theme;
  } catch {}
  const wish = [asked, kept].find((one) => ["dark", "light", "system"].includes(one)) ?? "system";
  const dark = wish === "system" ? !matchMedia("(prefers-color-scheme: light)").matches : wish === "dark";
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
