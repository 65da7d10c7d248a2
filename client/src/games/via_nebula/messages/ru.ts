import type { Translation } from "../../../i18n/translate";
import { en, type Words } from "./en";
export const ru: Translation<Words> = en;
