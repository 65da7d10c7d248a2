/**
 * Keeps the keyboard focus on the board: a target that is gone takes the focus with it. When that happens, the focus
 * goes to the first thing that may be done, or to the button that ends the turn.
 */
export function keepFocus(board: HTMLElement): { update: () => void; stop: () => void } {
  let keys = false; // the last input was a key
  const pressed = () => (keys = true);
  const pointed = () => (keys = false);
  addEventListener("keydown", pressed, true);
  addEventListener("pointerdown", pointed, true);

  return {
    update: () => {
      const focused = document.activeElement;
      const lost = !focused || focused === document.body || (focused as HTMLButtonElement).disabled === true;
      if (!keys || !lost) return;
      const next = board.querySelector<HTMLElement>('[data-pick][data-state="legal"]') ?? board.querySelector<HTMLElement>(".confirm:enabled");
      next?.focus();
    },
    stop: () => {
      removeEventListener("keydown", pressed, true);
      removeEventListener("pointerdown", pointed, true);
    },
  };
}
