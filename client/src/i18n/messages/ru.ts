import type { Translation } from "../translate";
import { en, type English } from "./en";

export const ru: Translation<English> = { ...en };
