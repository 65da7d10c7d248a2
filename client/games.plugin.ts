import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { normalizePath, transformWithOxc, type Plugin } from "vite";
import { gamePartOf, partOf, type Part } from "./src/i18n/parts.js";

const SOURCE = path.resolve(import.meta.dirname, "src");

const HOMES = "virtual:games/homes";
const SHELL = path.join(SOURCE, "i18n");
const PARTS: readonly Part[] = ["first", "later"];

/**
 * Finds the games' client folders and makes `virtual:games` and `virtual:games/homes` of them (src/games/virtual.d.ts).
 * `virtual:games/homes/fr` has what the home page says of all games in French, so that it need not load their catalogues.
 * Every file of messages, also of the application itself, is cut in two: `fr.ts?first` and `fr.ts?later` (src/i18n/parts.ts).
 * A game has one in src/games, or, if it is one that PLENILUNE_GAMES names, in `client/` beside its rules. There
 * `plenilune/…` stands for src/…, and packages are those of this client.
 */
export function games(): Plugin {
  const outside = outsideFolders();
  const folders = { ...Object.fromEntries(outside), ...Object.fromEntries(ownFolders()) };
  const languages = [...new Set(Object.values(folders).flatMap(languagesIn))].sort();
  const modules: Record<string, () => string | Promise<string>> = {
    "virtual:games": () => boardsModule(withFile(folders, "index.ts"), folders),
    [HOMES]: () => homesModule(withFile(folders, "home.ts"), languages),
    ...Object.fromEntries(languages.map((language) => [`${HOMES}/${language}`, () => homeCatalogue(folders, language)])),
  };
  return {
    name: "plenilune-games",
    config: () => ({
      resolve: { alias: [{ find: /^plenilune\//, replacement: `${normalizePath(SOURCE)}/` }], dedupe: ["svelte"] },
      server: { fs: { allow: [import.meta.dirname, ...outside.map(([, folder]) => folder)] } },
    }),
    resolveId: (id) => (id in modules ? `\0${id}` : null),
    load(id) {
      const [file = "", query] = id.split("?");
      const part = PARTS.find((one) => one === query);
      if (part) {
        this.addWatchFile(file);
        return partOfCatalogue(file, part);
      }
      const name = id.replace("\0", "");
      if (name.startsWith(`${HOMES}/`)) for (const file of catalogueFiles(folders)) this.addWatchFile(file);
      return modules[name]?.() ?? null;
    },
  };
}

type Folder = readonly [game: string, folder: string];

function ownFolders(): Folder[] {
  const root = path.join(SOURCE, "games");
  return foldersIn(root).map((name) => [gameOf(name), path.join(root, name)]);
}

function outsideFolders(): Folder[] {
  const roots = (process.env["PLENILUNE_GAMES"] ?? "").split(path.delimiter).filter((root) => root && existsSync(root));
  return roots.flatMap((root) => foldersIn(root).map((name): Folder => [gameOf(name), path.resolve(root, name, "client")]));
}

function foldersIn(root: string): string[] {
  return readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

/** A folder is named with underscores, the game in it with hyphens. */
function gameOf(folder: string): string {
  return folder.replaceAll("_", "-");
}

/** The games that have the file, each with its path. */
function withFile(folders: Record<string, string>, file: string): Folder[] {
  const paths = Object.entries(folders).map(([game, folder]): Folder => [game, path.join(folder, file)]);
  return paths.filter(([, place]) => existsSync(place)).map(([game, place]) => [game, normalizePath(place)]);
}

const catalogueFile = (folder: string, language: string): string => path.join(folder, "messages", `${language}.ts`);

function languagesIn(folder: string): string[] {
  const place = path.join(folder, "messages");
  return existsSync(place) ? readdirSync(place).filter((file) => file.endsWith(".ts")).map((file) => file.replace(".ts", "")) : [];
}

function catalogueFiles(folders: Record<string, string>): string[] {
  return Object.values(folders).flatMap((folder) => languagesIn(folder).map((language) => catalogueFile(folder, language)));
}

function boardsModule(found: readonly Folder[], folders: Record<string, string>): string {
  const boards = found.map(([game, place]) => [game, lazily(place)] as const);
  const messages = PARTS.map((part) => record(Object.entries(folders).map(([game, folder]) => [game, catalogues(folder, part)] as const)));
  return `export const boards = ${record(boards)};\nexport const messages = ${messages[0]};\nexport const later = ${messages[1]};`;
}

/** Loads a part of each of the folder's catalogues. */
function catalogues(folder: string, part: Part): string {
  return record(languagesIn(folder).map((language) => [language, lazily(`${normalizePath(catalogueFile(folder, language))}?${part}`, "default")] as const));
}

async function partOfCatalogue(file: string, part: Part): Promise<string> {
  const of = path.dirname(path.dirname(file)) === SHELL ? partOf : gamePartOf;
  const messages = Object.entries(await readCatalogue(file)).filter(([key]) => of(key) === part);
  return `export default ${JSON.stringify(Object.fromEntries(messages))};`;
}

function homesModule(found: readonly Folder[], languages: readonly string[]): string {
  const imports = found.map(([, place], i) => `import { home as home${i} } from ${JSON.stringify(place)};`);
  const homes = found.map(([game], i) => [game, `home${i}`] as const);
  const messages = languages.map((language) => [language, lazily(`${HOMES}/${language}`, "default")] as const);
  return `${imports.join("\n")}\nexport const homes = ${record(homes)};\nexport const homeMessages = ${record(messages)};`;
}

/** What the home page says of the games: their messages `game.…`, in English where a game does not have the language. */
async function homeCatalogue(folders: Record<string, string>, language: string): Promise<string> {
  const said = Object.entries(folders).map(async ([game, folder]) => {
    const messages = { ...(await readCatalogue(catalogueFile(folder, "en"))), ...(await readCatalogue(catalogueFile(folder, language))) };
    const own = Object.entries(messages).filter(([key]) => key.startsWith("game."));
    return own.map(([key, message]) => [key.replace("game", game), message]);
  });
  return `export default ${JSON.stringify(Object.fromEntries((await Promise.all(said)).flat()))};`;
}

async function readCatalogue(file: string): Promise<object> {
  if (!existsSync(file)) return {};
  const { code } = await transformWithOxc(readFileSync(file, "utf8"), file);
  return ((await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { default: object }).default;
}

function lazily(place: string, name?: string): string {
  const load = `import(${JSON.stringify(place)})`;
  return name ? `() => ${load}.then((module) => module.${name})` : `() => ${load}`;
}

function record(entries: readonly (readonly [key: string, code: string])[]): string {
  return `{\n${entries.map(([key, code]) => `${JSON.stringify(key)}: ${code},`).join("\n")}\n}`;
}
