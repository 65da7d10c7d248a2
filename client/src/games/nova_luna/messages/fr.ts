import type { Translation } from "../../../i18n/translate";
import { en } from "./en";

export const fr: Translation<typeof en> = { ...en };
