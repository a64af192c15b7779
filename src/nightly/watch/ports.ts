import type { importFiles } from '../../run/import.js';
import type { RunObserver } from '../../core/report.js';
import type { Clock } from '../../core/time.js';
import type { Outbox } from '../notices/outbox.js';
import type { Pickup } from '../pickup/schema.js';
import type { Place } from '../places/place.js';
import type { WatchState } from '../state/state.js';

/** What a watcher of one pickup works with. */
export interface WatcherPorts {
  readonly pickup: Pickup;
  readonly place: Place;
  readonly ledger: string | undefined;
  /** Folder on this machine for what is unpacked; nobody else may read it. */
  readonly work: string;
  readonly state: WatchState;
  readonly outbox: Outbox;
  readonly clock: Clock;
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsed: () => number;
  /** Takes figures of the imports. @default nobody */
  readonly observer?: RunObserver | undefined;
  /** Carries out an import. */
  readonly execute: typeof importFiles;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called with what happens, in words for a person, without personal data. */
  readonly onNote: (message: string) => void;
}
