/** Arrow keys go from target to target, to the nearest one in that direction, wherever the board has drawn it. */

type Direction = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown";

const STEPS: Record<Direction, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export interface Spot {
  x: number;
  y: number;
}

/** The index of the nearest spot in that direction, or -1. What lies aside counts double. */
export function nearest(from: Spot, spots: readonly Spot[], [dx, dy]: readonly [number, number]): number {
  let best = -1;
  let least = Infinity;
  spots.forEach((spot, i) => {
    const ahead = (spot.x - from.x) * dx + (spot.y - from.y) * dy;
    const aside = Math.abs((spot.x - from.x) * dy) + Math.abs((spot.y - from.y) * dx);
    if (ahead <= 1 || aside > ahead * 3) return;
    const cost = ahead + 2 * aside;
    if (cost < least) [best, least] = [i, cost];
  });
  return best;
}

/** Moves the focus within `board`; with Alt also to what is already chosen or cannot be. Tells whether the key was one of its own. */
export function move(board: HTMLElement, event: KeyboardEvent): boolean {
  const step = STEPS[event.key as Direction];
  if (!step || event.ctrlKey || event.metaKey) return false;
  const targets = targetsIn(board, event.altKey);
  const focused = document.activeElement;
  const from = focused && board.contains(focused) && focused !== board ? middle(focused) : null;
  const others = targets.filter((target) => target !== focused);
  const next = from ? others[nearest(from, others.map(middle), step)] : targets[0];
  next?.focus();
  return true;
}

/** What may be chosen next; if there is nothing, because the turn is complete, what would change it. */
export function targetsIn(board: HTMLElement, all = false): HTMLElement[] {
  const targets = [...board.querySelectorAll<HTMLElement>("[data-pick]")];
  if (all) return targets;
  const next = targets.filter((target) => target.dataset["state"] === "legal");
  return next.length > 0 ? next : targets.filter((target) => target.dataset["state"] !== "no");
}

/** The one nearest to a spot, or the first. */
export function closest(targets: readonly HTMLElement[], spot: Spot | null): HTMLElement | undefined {
  if (!spot) return targets[0];
  const far = (target: HTMLElement) => Math.hypot(middle(target).x - spot.x, middle(target).y - spot.y);
  return targets.reduce<HTMLElement | undefined>((best, target) => (best && far(best) <= far(target) ? best : target), undefined);
}

export function middle(element: Element): Spot {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}
