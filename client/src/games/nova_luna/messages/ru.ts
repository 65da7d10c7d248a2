import type { Translation } from "../../../i18n/translate";
import { en } from "./en";

export const ru: Translation<typeof en> = { ...en };
