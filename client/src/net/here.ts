/** Tables in the page itself, which need no server. What they are made of is loaded when the first is opened. */
export function isLocal(table: string): boolean {
  return table.startsWith("local-");
}

export function here(): Promise<typeof import("../local")> {
  return import("../local");
}
