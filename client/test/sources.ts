/** The files of src, and how one leads to another. */
const sources = import.meta.glob<string>("../src/**/*.{ts,svelte}", { eager: true, query: "?raw", import: "default" });
export const files = new Map(Object.entries(sources).map(([path, text]) => [path.replace("../src/", ""), text]));

export const ANY = /(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g; // imports and exports of whatever kind
export const AT_ONCE = /^\s*(?:import|export)\s+(?!type\b)(?:[^"]*?\bfrom\s*)?"(\.[^"]+)"/gm; // neither types nor what is loaded later

/** The files of src that a file imports. */
export function imports(file: string, kind: RegExp): string[] {
  const named = [...files.get(file)!.matchAll(kind)].map(([, path]) => new URL(path!, `file:///${file}`).pathname.slice(1));
  return named.flatMap((path) => [path, `${path}.ts`, `${path}/index.ts`].filter((one) => files.has(one)));
}

/** How one gets from a file to the first file that is asked for, or null. */
export function way(file: string, wanted: (file: string) => boolean, kind = ANY, seen = new Set<string>()): string[] | null {
  if (wanted(file)) return [file];
  seen.add(file);
  for (const next of imports(file, kind)) {
    const rest = seen.has(next) ? null : way(next, wanted, kind, seen);
    if (rest) return [file, ...rest];
  }
  return null;
}

/** All files to which one of these leads, and they themselves; not beyond those that are left out. */
export function reached(from: readonly string[], kind: RegExp, leftOut: (file: string) => boolean = () => false): string[] {
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file) || leftOut(file)) return;
    seen.add(file);
    imports(file, kind).forEach(visit);
  };
  from.forEach(visit);
  return [...seen];
}
