/** Questions over the websocket and their answers. */
import type { ClientMessage, Played, Previewed, Refused } from "../protocol/messages";
import { Refusal } from "./api";

type Answer = Played | Previewed;
type Asked = Extract<ClientMessage, { id: string }>;

interface Waiting {
  message: Asked;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

let count = 0;
const page = Math.random().toString(36).slice(2, 10);

/** A new name for a request, unlike any other tab's. */
export function newId(): string {
  return `${page}-${Date.now().toString(36)}-${++count}`;
}

export class Requests {
  private readonly waiting = new Map<string, Waiting>();

  constructor(private readonly send: (message: ClientMessage) => boolean) {}

  ask<A extends Answer>(message: Asked): Promise<A> {
    return new Promise<A>((resolve, reject) => {
      this.waiting.set(message.id, { message, resolve: resolve as (answer: Answer) => void, reject });
      // Plays are sent again when the connection is back (the server plays an id once); callers repeat everything else.
      if (!this.send(message) && message.kind !== "play") this.fail(message.id, new Refusal("unreachable", "unreachable"));
    });
  }

  answer(message: Answer): void {
    this.take(message.id)?.resolve(message);
  }

  /** Whether the refusal belongs to a request. */
  refuse(message: Refused): boolean {
    const asked = message.id === null ? undefined : this.take(message.id);
    asked?.reject(Refusal.of(message));
    return asked !== undefined;
  }

  lost(): void {
    for (const [id, { message }] of this.waiting) {
      if (message.kind !== "play") this.fail(id, new Refusal("unreachable", "unreachable"));
    }
  }

  back(): void {
    for (const { message } of this.waiting.values()) this.send(message);
  }

  private fail(id: string, error: Error): void {
    this.take(id)?.reject(error);
  }

  private take(id: string): Waiting | undefined {
    const asked = this.waiting.get(id);
    this.waiting.delete(id);
    return asked;
  }
}

