import { whole } from '../../core/text.js';
import type { RowTally } from '../row-tally.js';
import type { TimelinePoint } from '../timeline.js';

/** A chart that the script draws, with its points as a table. */
export interface Chart {
  readonly id: string;
  readonly title: string;
  readonly remark: string;
  readonly labels: readonly string[];
  readonly seconds: readonly number[];
  readonly series: readonly (readonly (number | null)[])[];
}

/** The charts of a run: its speed, its requests and how long they took. */
export function chartsOf(points: readonly TimelinePoint[], { rows, outcomes }: RowTally): Chart[] {
  const sent = rows - outcomes.rejected - outcomes.skipped;
  const seconds = points.map(({ second }) => second);
  const rate = points.map(({ completedPerSecond }) => completedPerSecond * sent);
  const latency = points.map(({ longestLatency }) => longestLatency);
  const slowest = Math.max(0, ...latency.filter((value) => value !== null));
  return [
    {
      id: 'chart-rate',
      title: 'Rows per second',
      remark: `At most ${whole(Math.round(Math.max(...rate)))} a second. Estimated from the answers: each counts for the same share of the ${whole(sent)} rows that were sent.`,
      labels: ['rows/s'],
      seconds,
      series: [rate],
    },
    {
      id: 'chart-concurrency',
      title: 'Requests in flight',
      remark: 'On average, of those that were answered.',
      labels: ['requests'],
      seconds,
      series: [points.map(({ concurrency }) => concurrency)],
    },
    {
      id: 'chart-latency',
      title: 'Response time',
      remark: `In milliseconds; the slowest took ${whole(Math.round(slowest))}.`,
      labels: ['mean ms', 'longest ms'],
      seconds,
      series: [points.map(({ meanLatency }) => meanLatency), latency],
    },
  ];
}
