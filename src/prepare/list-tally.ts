import { CALL_TIMES, type CallCounts, noCalls } from '../core/hours.js';
import type { ListCounts } from '../core/prepared.js';
import {
  addHit,
  type HitCount,
  noHits,
  addGood,
  addQuality,
  isTaken,
  noQuality,
  type QualityCounts,
} from '../core/quality.js';
import type { Row } from '../core/table.js';
import type { CompiledMapping, MappedRow } from '../mapping/compile.js';
import type { ChunkPlace } from './records.js';

/** Counts what the rows of a chunk show of the list as a whole. */
export interface ListTally {
  /** `mapped`: what became of the row. */
  add(row: Row, mapped: MappedRow, place: ChunkPlace): void;
  /** The counts of the chunk; what is counted then is of the next one. */
  take(): ListCounts;
}

/** `null` where nobody asks: an import without checks takes the same from its report. */
export function createListTally(
  { checks }: Pick<CompiledMapping, 'checks'>,
  checking: boolean,
): ListTally | null {
  if (!checking && checks.length === 0) return null;
  let counts = begin(checks.length);
  const test = (row: Row, mapped: MappedRow, { input, sheet }: ChunkPlace): void => {
    for (let at = 0; at < checks.length; at++) {
      const its = counts.checked[at];
      if (its && checks[at]?.(row.cells, mapped)) addHit(its, { input, sheet, row: row.row });
    }
  };
  return {
    // Most rows are good ones: for these nothing is made.
    add: (row, mapped, place) => {
      const isOfList =
        mapped.status === 'client' || isTaken({ kind: mapped.status, problems: mapped.problems });
      if (isOfList) {
        counts.taken++;
        if (checks.length > 0) test(row, mapped, place);
      }
      if (!checking) return;
      if (mapped.callTime !== undefined)
        addCall(counts, mapped.status === 'client', mapped.callTime);
      countQuality(counts.quality, mapped);
    },
    take: () => {
      const { taken, checked, quality, clients, leftOut, hasCalls } = counts;
      counts = begin(checks.length);
      return {
        ...{ taken, checked },
        ...(checking ? { quality } : {}),
        ...(hasCalls ? { calls: { clients: Uint8Array.from(clients), leftOut } } : {}),
      };
    },
  };
}

interface Counts {
  taken: number;
  readonly checked: readonly HitCount[];
  readonly quality: QualityCounts;
  readonly clients: number[];
  readonly leftOut: CallCounts;
  hasCalls: boolean;
}

const begin = (checks: number): Counts => ({
  ...{ taken: 0, hasCalls: false, clients: [], leftOut: noCalls() },
  checked: Array.from({ length: checks }, noHits),
  quality: noQuality(),
});

function addCall(counts: Counts, isSent: boolean, time: keyof CallCounts): void {
  counts.hasCalls = true;
  if (isSent) counts.clients.push(CALL_TIMES.indexOf(time));
  else counts.leftOut[time]++;
}

function countQuality(counts: QualityCounts, mapped: MappedRow): void {
  if (mapped.status !== 'client') {
    addQuality(counts, { kind: mapped.status, problems: mapped.problems });
    return;
  }
  const { remarks, zoneFrom } = mapped;
  if (remarks === undefined && zoneFrom !== 'ambiguous' && zoneFrom !== 'default') addGood(counts);
  else addQuality(counts, { kind: 'sent', problems: NONE, remarks, zoneFrom });
}

const NONE = [] as const;
