/** A sentence that is shown for a while: a refusal, or a reason why not with the rule it follows from. */
export class Notice {
  text = $state<string | null>(null);
  rule = $state<string | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** With a rule it is shown longer: there is time to open it. */
  show(text: string, rule: string | null = null): void {
    this.text = text;
    this.rule = rule;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.clear(), (rule ? 5000 : 2500) + 50 * text.length);
  }

  clear(): void {
    clearTimeout(this.timer);
    this.text = null;
    this.rule = null;
  }
}
