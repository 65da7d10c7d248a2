// npm run messages: which messages are missing or outdated in a language (docs/translating.md).
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const { module } = await runnerImport(fileURLToPath(new URL("./translations.ts", import.meta.url)));
module.main(process.argv.slice(2));
