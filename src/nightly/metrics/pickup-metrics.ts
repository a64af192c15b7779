import type { Clock } from '../../core/time.js';
import type { Labels, Metrics } from '../../metrics/registry.js';
import type { Shelf } from '../places/place.js';
import type { PlaceFigures } from './measured-place.js';

/** Figures of a pickup, beside those of its runs. */
export class PickupMetrics implements PlaceFigures {
  /** Files that wait, with when they were first seen. */
  readonly #since = new Map<string, number>();
  readonly #labels: Labels;

  /** `isLate`: whether a file is missing that should have come by now. */
  constructor(
    private readonly metrics: Metrics,
    pickup: string,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly isLate: () => boolean,
  ) {
    this.#labels = { pickup };
    metrics.beforeRead(() => this.#collect());
  }

  answered(isUp: boolean): void {
    this.metrics.set('cardline_pickup_up', this.#labels, isUp ? 1 : 0);
  }

  waiting(names: readonly string[]): void {
    const there = new Set(names);
    for (const name of this.#since.keys()) if (!there.has(name)) this.#since.delete(name);
    const now = this.clock.now();
    for (const name of there) if (!this.#since.has(name)) this.#since.set(name, now);
  }

  putAway(name: string, shelf: Shelf): void {
    this.#since.delete(name);
    this.metrics.add('cardline_pickup_files_total', { ...this.#labels, shelf });
  }

  #collect(): void {
    const oldest = Math.min(this.clock.now(), ...this.#since.values());
    const lag = (this.clock.now() - oldest) / 1000;
    this.metrics.set('cardline_pickup_files_waiting', this.#labels, this.#since.size);
    this.metrics.set('cardline_pickup_lag_seconds', this.#labels, lag);
    this.metrics.set('cardline_pickup_late', this.#labels, this.isLate() ? 1 : 0);
  }
}
