/** Hands a match of this browser to its user as a file. */
import { here } from "./here";

export async function saveMatch(id: string): Promise<void> {
  const { name, text } = await (await here()).saveMatch(id);
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // some browsers read it later
}
