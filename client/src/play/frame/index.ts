/** What boards put together: import from here. */
export { default as Icon } from "./Icon.svelte";
export { later } from "./later";
export { default as Later } from "./Later.svelte";
export { default as LogPeek } from "./LogPeek.svelte";
export { default as Pieces, type Piece } from "./Pieces.svelte";
export { default as SeatClock } from "./SeatClock.svelte";
export { default as SeatMark } from "./SeatMark.svelte";
export { default as SeatName } from "./SeatName.svelte";
export { seatColour, seatShape } from "./seatSigns";
export { default as Sheet } from "./Sheet.svelte";
export { default as StatusLine } from "./StatusLine.svelte";
export { default as TurnButtons } from "./TurnButtons.svelte";
