// Does with a module what a fixture (fixtures.py) says, and prints what comes out otherwise than natively.
//
//     node tests/wasm/replay.mjs MODULE FIXTURE      MODULE without ending: there is a .wasm and a .json
import { readFileSync } from "node:fs";
import { argv, exit } from "node:process";
import { compare } from "./compare.mjs";

const [name, file] = argv.slice(2);
const manifest = JSON.parse(readFileSync(`${name}.json`, "utf8"));
const wrong = await compare(manifest, readFileSync(`${name}.wasm`), JSON.parse(readFileSync(file, "utf8")));
console.log(JSON.stringify(wrong));
exit(Object.values(wrong).some((found) => found.length) ? 1 : 0);
