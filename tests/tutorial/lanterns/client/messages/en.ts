const en = {
  "game.blurb": "Hang lanterns, and keep to yourself which colour you are after.",
  "game.option.bag": "Bag",
  "game.option.bag.full": "36 lanterns",
  "game.option.bag.small": "24 lanterns",
  "lanterns.ask": "Take a lantern, then a cell for it or the night.",
  "lanterns.slot": "Slot {n}: {lantern}",
  "lanterns.empty": "nothing",
  "lanterns.cell": "Cell {cell}",
  "lanterns.night": "Into the night",
  "lanterns.secret": "Secret colour",
  "lanterns.hang": "hang lantern {slot} on {cell}",
  "lanterns.release": "release lantern {slot}",
  "lanterns.hung": "{name} hangs a {colour} lantern on {cell}",
  "lanterns.released": "{name} releases a {colour} lantern",
} as const;
export default en;
export type Words = typeof en;
