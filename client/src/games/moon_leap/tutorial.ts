import type { Tutorial } from "../../board";
export const tutorial = null as unknown as Tutorial;
