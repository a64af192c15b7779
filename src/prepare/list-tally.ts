import { CALL_TIMES, type CallCounts, noCalls } from '../core/call-time.js';
import type { ListCounts } from '../core/client/prepared.js';
import { addHit, type HitCount, noHits } from '../core/list-quality/hits.js';
import { addQuality, isTaken, noQuality, type QualityCounts } from '../core/list-quality/tally.js';
import type { Row } from '../core/table/row.js';
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
  return {
    add: (row, mapped, { input, sheet }) => {
      const { status: kind } = mapped;
      const problems = mapped.status === 'client' ? NONE : mapped.problems;
      const quality = { kind: kind === 'client' ? 'sent' : kind, problems } as const;
      if (checking) addCalls(counts, mapped);
      if (isTaken(quality)) {
        counts.taken++;
        for (const [at, test] of checks.entries())
          if (test?.(row.cells, mapped))
            addHit(counts.checked[at] ?? noHits(), { input, sheet, row: row.row });
      }
      if (!checking) return;
      if (mapped.status !== 'client') addQuality(counts.quality, quality);
      else
        addQuality(counts.quality, {
          ...quality,
          remarks: mapped.remarks,
          zoneFrom: mapped.zoneFrom,
        });
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

const NONE = [] as const;

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

function addCalls(counts: Counts, { status, callTime }: MappedRow): void {
  if (callTime === undefined) return;
  counts.hasCalls = true;
  if (status === 'client') counts.clients.push(CALL_TIMES.indexOf(callTime));
  else counts.leftOut[callTime]++;
}
