import type { Plugin } from "vite";

/** What these pages may do. A server says it in a header too (`plenilune/server/http/headers.py`, where each is explained). */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'";

/**
 * One build for every host: `index.html` names its files relative to itself, and carries its content policy. A server,
 * which sends it for every address, makes the names absolute and says that it is there (`plenilune/server/http/pages.py`);
 * during development Vite is that server, and needs styles that are written in the page.
 */
export function hosts(): Plugin {
  return {
    name: "plenilune-hosts",
    transformIndexHtml: {
      order: "pre",
      handler: (page, { server }) => (server ? page.replace("<html", "<html data-server") : page.replace(CHARSET, `${CHARSET}\n    ${META}`)),
    },
  };
}

const CHARSET = '<meta charset="utf-8" />';
const META = `<meta http-equiv="content-security-policy" content="${POLICY}" />`;
