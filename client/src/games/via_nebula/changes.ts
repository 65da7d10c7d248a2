/** What the table would look like otherwise: pieces that are not certain yet, would leave, or would arrive. */
import { isPlace } from "./hexes";
import type { NebulaPiece } from "./pieces";

/** A piece's id → where it lies. */
type Spots = ReadonlyMap<string, string>;

const travels = (piece: NebulaPiece): boolean => piece.kind !== "card" && piece.kind !== "token";

/** The ids of pieces that lie elsewhere in the match as it is kept. */
export function uncertain(pieces: readonly NebulaPiece[], kept: Spots): Set<string> {
  return ids(pieces.filter((piece) => travels(piece) && kept.get(piece.id) !== piece.spot));
}

/** The pieces that would lie somewhere new, where they would lie. A tile is drawn though the map will draw it. */
export function arriving(after: readonly NebulaPiece[], now: Spots): NebulaPiece[] {
  return after.filter((piece) => travels(piece) && now.get(piece.id) !== piece.spot && (!piece.tucked || piece.kind === "tile"));
}

/** The ids of pieces that would not stay where they are. */
export function leaving(pieces: readonly NebulaPiece[], after: readonly NebulaPiece[]): Set<string> {
  const then = new Map(after.map((piece) => [piece.id, piece.spot]));
  return ids(pieces.filter((piece) => piece.kind !== "card" && then.get(piece.id) !== piece.spot));
}

/** The places of ruins with resources on them. */
export function loadedPlaces(pieces: readonly NebulaPiece[]): Set<string> {
  return new Set(pieces.filter((piece) => isPlace(piece.spot) && piece.kind !== "site" && piece.kind !== "building").map((piece) => piece.spot));
}

function ids(pieces: readonly NebulaPiece[]): Set<string> {
  return new Set(pieces.map((piece) => piece.id));
}
