/**
 * A shape and a colour for each seat, those of the terminal. Six shapes and seven colours have no common divisor: 42 seats
 * can be told apart, the first six by their shape alone.
 */

/** In a box of −62 … 62: circle, square, triangle, diamond, star, triangle on its tip. */
const SHAPES = [
  "M0-47A47 47 0 1 1 0 47A47 47 0 1 1 0-47Z",
  "M-45-27Q-45-45-27-45H27Q45-45 45-27V27Q45 45 27 45H-27Q-45 45-45 27Z",
  "M-12.900-41.400Q0-64 12.900-41.400L49.100 22.400Q62 45 36 45H-36Q-62 45-49.100 22.400Z",
  "M14.100-49.900L49.900-14.100Q64 0 49.900 14.100L14.100 49.900Q0 64-14.100 49.900L-49.900 14.100Q-64 0-49.900-14.100L-14.100-49.900Q0-64 14.100-49.900Z",
  "M-5.300-48.100Q0-60 5.300-48.100L17.600-20.300L47.900-17.100Q60.900-15.800 51.200-7.100L28.500 13.300L34.900 43.100Q37.600 55.800 26.400 49.300L0 34L-26.400 49.300Q-37.600 55.800-34.900 43.100L-28.500 13.300L-51.200-7.100Q-60.900-15.800-47.900-17.100L-17.600-20.300Z",
  "M-12.900 41.400Q0 64 12.900 41.400L49.100-22.400Q62-45 36-45H-36Q-62-45-49.100-22.400Z",
];
const COLOURS = 7; // --seat0 … --seat6 in theme.css

/** The seat's shape as an SVG path. */
export function seatShape(seat: number): string {
  return SHAPES[seat % SHAPES.length]!;
}

/** The seat's colour as a CSS value. */
export function seatColour(seat: number): string {
  return `var(--seat${seat % COLOURS})`;
}
