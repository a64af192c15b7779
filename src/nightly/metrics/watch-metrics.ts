import type { RunObserver } from '../../core/report.js';
import type { Clock } from '../../core/time.js';
import type { NOTICE_RESULTS } from '../../metrics/table.js';
import type { NoticeKind } from '../notices/notice.js';
import type { PickupFile } from '../pickup/load.js';
import type { Pickup } from '../pickup/schema.js';
import { fitsPattern } from '../places/file-pattern.js';
import type { Place } from '../places/place.js';
import { MeasuredPlace } from './measured-place.js';
import { PickupMetrics } from './pickup-metrics.js';

/** Metrics of a watcher. */
export interface WatchMetrics {
  /** Where they are served. */
  readonly url: string | undefined;
  /** The place, with an eye on it. */
  measured(pickup: Pickup, place: Place, isLate: () => boolean): Place;
  /** Who takes the figures of the runs of a pickup. */
  ofRuns(pickup: string): RunObserver;
  readonly noticed: (kind: NoticeKind, result: (typeof NOTICE_RESULTS)[number]) => void;
  ending(): void;
  close(): Promise<void>;
}

/**
 * The metrics that a pickup file asks for; `undefined` where it asks for none, and nothing is loaded.
 * @throws UsageError where the address cannot be listened at
 */
export async function openWatchMetrics(
  { metrics: settings }: Pick<PickupFile, 'metrics'>,
  clock: Clock,
  onWarning: (message: string) => void,
): Promise<WatchMetrics | undefined> {
  if (settings.file === undefined && settings.listen === undefined) return undefined;
  const { openMetrics } = await import('../../metrics/open-metrics.js');
  const open = await openMetrics({ ...settings, of: 'watch', onWarning });
  return {
    url: open.url,
    measured: ({ name, files }, place, isLate) => {
      const figures = new PickupMetrics(open.metrics, name, clock, isLate);
      return new MeasuredPlace(place, figures, (file) => fitsPattern(file, files));
    },
    ofRuns: (pickup) => open.ofRuns(pickup),
    noticed: (kind, result) => open.metrics.add('cardline_notices_total', { kind, result }),
    ending: () => open.ending(),
    close: () => open.close(),
  };
}
