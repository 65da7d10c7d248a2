/** How one connects to a table, on a server or in the page. */
import type { Connect } from "../protocol/channel";
import { here, isLocal } from "./here";

export async function connector(id: string): Promise<Connect> {
  return isLocal(id) ? (await here()).connector(id) : (await import("./serverTable")).serverConnector(id);
}
