import type { Tutorial } from "../../board";
export const tutorial = {} as Tutorial;
