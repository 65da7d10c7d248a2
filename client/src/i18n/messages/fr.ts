import type { Translation } from "../translate";
import { en, type English } from "./en";

export const fr: Translation<English> = { ...en };
