import type { Fact } from '../../../src/core/facts.js';
import type { Disk, Kept } from '../disk.js';
import type { Input } from '../input.js';
import type { Ending, Request } from '../network.js';
import type { Scenario } from '../scenario.js';
import type { Timeline } from '../timeline.js';

/** Watches one thing that the importer must or must not do, while it works. */
export interface Watcher {
  /** A process begins. `continued`: it goes on with what an earlier one has left. */
  readonly began?: (continued: boolean) => void;
  /** A request leaves. */
  readonly left?: (request: Request) => void;
  /** The importer has its answer, or has given up. */
  readonly ended?: (request: Request, ending: Ending) => void;
  /** Facts have reached the disk. */
  readonly kept?: (kept: readonly Kept[]) => void;
  /** The process is asked to end. */
  readonly stopped?: () => void;
}

/** What a watcher can see. */
export interface Sight {
  readonly scenario: Scenario;
  readonly input: Input;
  readonly disk: Disk;
  readonly timeline: Timeline;
  /** Is told what must not be. */
  readonly violated: (what: string) => void;
}

export function isReading({ operation }: Request): boolean {
  return operation === 'findClient' || operation === 'findCampaigns';
}

export function hasRead(facts: readonly Fact[]): boolean {
  return facts.some(({ kind }) => kind === 'read');
}
