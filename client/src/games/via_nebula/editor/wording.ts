/** What is said of a table's rows: the file's own words are only in quotation marks. */
import type { LookUp } from "../../../i18n/translate";
import { RESOURCES, type Resource } from "../kinds";
import type { Problem, Row } from "./check";

/** Which number decides between singular and plural. */
const COUNTED: Readonly<Record<string, string>> = { tokens: "expected", width: "expected", "meadow-less": "found" };

const isResource = (word: string): word is Resource => RESOURCES.includes(word as Resource);
const resource = (word: string, lookUp: LookUp): string => (isResource(word) ? (lookUp(word) ?? word) : word);
const isToken = ({ words }: Row): boolean => words[0] === "token" || words[0] === "special";

/** `wood 3a`: its resource and number, and a letter where several are alike. */
export function tokenName(row: Row, rows: readonly Row[], lookUp: LookUp): string {
  const [, , kind = "", printed = ""] = row.words;
  const alike = rows.filter((one) => isToken(one) && one.words[2] === kind && one.words[3] === printed);
  const letter = alike.length > 1 ? String.fromCharCode(97 + alike.indexOf(row)) : "";
  return `${resource(kind, lookUp)} ${printed}${letter}`;
}

export function problemText({ line, key, words }: Problem, rows: readonly Row[], lookUp: LookUp): string {
  const said: Record<string, string | number> = { ...words };
  if ("map" in words) said["map"] = lookUp(`map.name.${words["map"]}`) ?? words["map"]!;
  if (key in COUNTED) said["n"] = words[COUNTED[key]!]!;
  if (key === "cost") {
    said["words"] = String(words["words"]).replace(/[^, ]+/g, (word) => lookUp(word) ?? word);
    said["word"] = String(words["word"]).split("+").map((word) => resource(word, lookUp)).join(" + ");
  }
  if (key === "together") {
    const token = rows.find((row) => row.line === line);
    if (token) said["name"] = tokenName(token, rows, lookUp);
  }
  return lookUp(`editor.problem.${key}`, said) ?? key;
}
