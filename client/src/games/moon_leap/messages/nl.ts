import { en, type MoonLeapTranslation } from "./en";

export const nl: MoonLeapTranslation = { ...en };
