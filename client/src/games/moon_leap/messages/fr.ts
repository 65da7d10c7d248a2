import { en, type MoonLeapTranslation } from "./en";

export const fr: MoonLeapTranslation = { ...en };
