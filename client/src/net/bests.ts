/** My best scores alone: those of this browser, and those that the server knows of me. */
import { myself } from "./me.svelte";
import { api } from "./api";
import { here } from "./here";
import type { Best } from "../protocol/messages";

export async function myBests(): Promise<readonly Best[]> {
  await myself.meet().catch(() => undefined); // without the server, those of this browser
  const known = myself.me ? (await api.bests()).bests : [];
  return (await here()).bests(known);
}
