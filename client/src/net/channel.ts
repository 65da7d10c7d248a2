/** How one connects to a table, on a server or in the page. */
import type { Asked, Connect } from "../protocol/channel";
import { assisted } from "./assisted";
import { here, isLocal } from "./here";
import { Socket, websocketUrl } from "./socket";

export async function connector(id: string): Promise<Connect> {
  if (isLocal(id)) return (await here()).connector(id);
  return assisted((asked, events) => new Socket(() => websocketUrl(`/api/tables/${id}/live?${query(asked())}`), events));
}

function query({ viewer, ply }: Asked): URLSearchParams {
  const asked = new URLSearchParams();
  if (ply > 0) asked.set("ply", String(ply));
  if (viewer !== null) asked.set("viewer", String(viewer));
  return asked;
}
