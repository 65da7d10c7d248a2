import { en, type MoonLeapTranslation } from "./en";

export const ru: MoonLeapTranslation = { ...en };
