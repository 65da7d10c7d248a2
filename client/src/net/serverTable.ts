/** How one connects to a table on a server: loaded with the first. */
import type { Asked, Connect } from "../protocol/channel";
import { assisted } from "./assisted";
import { Socket, websocketUrl } from "./socket";

export function serverConnector(id: string): Connect {
  return assisted((asked, events) => new Socket(() => websocketUrl(`/api/tables/${id}/live?${query(asked())}`), events));
}

function query({ viewer, ply }: Asked): URLSearchParams {
  const asked = new URLSearchParams();
  if (ply > 0) asked.set("ply", String(ply));
  if (viewer !== null) asked.set("viewer", String(viewer));
  return asked;
}
