/** The unfinished turn of this tab, kept over a reload. */
const PLACE = "plenilune.unfinished";

interface Kept {
  match: string;
  ply: number;
  actions: readonly string[];
}

export function keep(match: string, ply: number, actions: readonly string[]): void {
  try {
    sessionStorage.setItem(PLACE, JSON.stringify({ match, ply, actions } satisfies Kept));
  } catch {
    // a browser that keeps nothing
  }
}

export function read(match: string, ply: number): readonly string[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(PLACE) ?? "null") as Kept | null;
    return kept?.match === match && kept.ply === ply ? kept.actions : [];
  } catch {
    return [];
  }
}
