/** How long back the rate looks, in milliseconds. */
const WINDOW_MS = 5000;
/** How far two samples are apart at least. */
const STEP_MS = 200;

/** Rows in a second over the last few seconds. */
export class RecentRate {
  #samples: { readonly at: number; readonly rows: number }[] = [];

  add(at: number, rows: number): void {
    const last = this.#samples.at(-1);
    if (last && at - last.at < STEP_MS) return;
    this.#samples.push({ at, rows });
    // One that is older is kept, so that the window is full.
    while ((this.#samples[1]?.at ?? at) < at - WINDOW_MS) this.#samples.shift();
  }

  /** Forgets what was: the time of a pause is no time of work. */
  clear(): void {
    this.#samples = [];
  }

  /** At this time, with so many rows by now. */
  at(now: number, rows: number): number {
    const [first] = this.#samples;
    const ms = first ? now - first.at : 0;
    return first && ms >= STEP_MS ? ((rows - first.rows) * 1000) / ms : 0;
  }
}
