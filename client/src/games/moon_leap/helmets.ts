import { rounded } from "../../art/shapes";
import { seatShape } from "../../play/frame/seatSigns"; // not all of the frame: this is loaded with the home page

/** A helmet in each seat's shape, on a grid of −50 … 50: shell, visor, the number's middle, where the aerial stands. */
export const HELMETS = [
  { shell: seatShape(0), visor: "M0-34A34 34 0 1 1 0 34A34 34 0 1 1 0-34Z", y: 0, aerial: [31, -36] },
  { shell: seatShape(1), visor: rounded([[-33, -33], [33, -33], [33, 33], [-33, 33]], 13), y: 0, aerial: [30, -44] },
  { shell: seatShape(2), visor: rounded([[0, -42], [43, 34], [-43, 34]], 17), y: 10, aerial: [12, -36] },
  { shell: seatShape(3), visor: rounded([[0, -47], [47, 0], [0, 47], [-47, 0]], 14), y: 0, aerial: [22, -36] },
] as const;
