/** A sentence that is shown for a while: a refusal, a reason why not. */
export class Notice {
  text = $state<string | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;

  show(text: string): void {
    this.text = text;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.text = null), 2500 + 50 * text.length);
  }

  clear(): void {
    clearTimeout(this.timer);
    this.text = null;
  }
}
