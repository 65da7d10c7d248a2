/** What the tabs of this browser tell each other: the id of a match that has changed. */
export interface Tabs {
  postMessage(id: string): void;
  addEventListener(kind: "message", listener: (event: MessageEvent<string>) => void): void;
  removeEventListener(kind: "message", listener: (event: MessageEvent<string>) => void): void;
}

/** Firefox has no channel for a site that may keep nothing: there each tab is alone. */
export function openTabs(): Tabs {
  try {
    return new BroadcastChannel("plenilune.matches") as unknown as Tabs;
  } catch {
    return { postMessage: () => undefined, addEventListener: () => undefined, removeEventListener: () => undefined };
  }
}
