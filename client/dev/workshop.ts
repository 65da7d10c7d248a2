import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import path from "node:path";
import type { Plugin } from "vite";

/** `/dev/ask` hands a question to `table.py`, which knows the rules: dev.html can be played without a server. */
export function workshop(): Plugin {
  const root = path.resolve(import.meta.dirname, "../..");
  let table: ChildProcess | null = null;
  const waiting: ((answer: string) => void)[] = [];

  function start(): ChildProcess {
    const own = path.join(root, ".venv/bin/python");
    const child = spawn(existsSync(own) ? own : "python3", [path.join(root, "client/dev/table.py")], {
      cwd: root,
      stdio: ["pipe", "pipe", "inherit"],
    });
    createInterface({ input: child.stdout! }).on("line", (line) => waiting.shift()?.(line));
    child.on("exit", () => (table = null));
    return child;
  }

  return {
    name: "plenilune-workshop",
    apply: "serve",
    configureServer(server) {
      server.httpServer?.on("close", () => table?.kill());
      server.middlewares.use("/dev/ask", (request, response) => {
        let body = "";
        request.on("data", (chunk) => (body += chunk));
        request.on("end", () => {
          table ??= start();
          waiting.push((answer) => {
            response.setHeader("content-type", "application/json");
            response.end(answer);
          });
          table.stdin!.write(body.replaceAll("\n", " ") + "\n");
        });
      });
    },
  };
}
