import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { FIRST_VALUES, type MetricName, METRICS } from './table.js';

type OfType<T extends string> = {
  [N in MetricName]: (typeof METRICS)[N]['type'] extends T ? N : never;
}[MetricName];

type CounterName = OfType<'counter'>;
type GaugeName = OfType<'gauge'>;
type HistogramName = OfType<'histogram'>;
export type Labels = Readonly<Record<string, string>>;

const PICKUP = 'pickup';

/** The metrics of a process: those of the table, each with its values by labels. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #counters = new Map<string, Counter>();
  readonly #gauges = new Map<string, Gauge>();
  readonly #histograms = new Map<string, Histogram>();
  readonly #collect: (() => void)[] = [];

  /** `of`: `watch` has those of runs too. */
  constructor(of: 'run' | 'watch') {
    for (const [name, traits] of Object.entries(METRICS)) {
      if (traits.of === 'watch' && of === 'run') continue;
      const { type, help, labels } = traits;
      const names = of === 'watch' ? [PICKUP, ...labels] : [...labels];
      const settings = { name, help, labelNames: names, registers: [this.#registry] };
      if (type === 'counter') this.#counters.set(name, new Counter(settings));
      else if (type === 'gauge') this.#gauges.set(name, unset(new Gauge(settings)));
      else {
        const buckets = [...traits.buckets];
        this.#histograms.set(name, new Histogram({ ...settings, buckets }));
      }
    }
  }

  /** Puts the counters of a pickup there, at 0. */
  begin(labels: Labels): void {
    for (const [name, values] of Object.entries(FIRST_VALUES))
      for (const value of values) this.#counters.get(name)?.inc({ ...labels, ...value }, 0);
  }

  add(name: CounterName, labels: Labels, value = 1): void {
    this.#counters.get(name)?.inc(labels, value);
  }

  set(name: GaugeName, labels: Labels, value: number): void {
    this.#gauges.get(name)?.set(labels, value);
  }

  observe(name: HistogramName, labels: Labels, value: number): void {
    this.#histograms.get(name)?.observe(labels, value);
  }

  /** Calls `collect` each time before the values are read: what costs nothing until somebody looks. */
  beforeRead(collect: () => void): void {
    this.#collect.push(collect);
  }

  text(): Promise<string> {
    for (const collect of this.#collect) collect();
    return this.#registry.metrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }
}

/** Without labels, the package has a gauge begin at 0, which of a time is an untruth. */
function unset(gauge: Gauge): Gauge {
  gauge.remove({});
  return gauge;
}
