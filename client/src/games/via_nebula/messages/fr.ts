import type { Translation } from "../../../i18n/translate";
import { en, type Words } from "./en";
export const fr: Translation<Words> = en;
