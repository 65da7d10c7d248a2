import type { Tutorial } from "../../board";
export const tutorial: Tutorial = { recording: { game: "via-nebula", seats: 2, options: {}, seat: 0, frames: [] }, steps: [] };
