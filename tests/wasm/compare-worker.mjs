// The comparison in a Web Worker, as searches are run: told a module's name and a fixture's, it fetches both.
import { compare } from "./compare.mjs";

const fetched = async (name) => (await fetch(name)).json();

onmessage = async ({ data: { module, fixture } }) => {
  const wasm = await (await fetch(`${module}.wasm`)).arrayBuffer();
  postMessage(await compare(await fetched(`${module}.json`), wasm, await fetched(fixture)));
};
