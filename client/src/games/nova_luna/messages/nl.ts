import type { Translation } from "../../../i18n/translate";
import { en } from "./en";

export const nl: Translation<typeof en> = { ...en };
