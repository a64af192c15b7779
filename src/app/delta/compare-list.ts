import {
  NO_PRINT,
  PRINT_WORDS,
  type Print,
  printAt,
  identifiersOf,
  type PreparedChunk,
  type RowRecord,
} from '../../core/prepared.js';
import { readFactOf } from '../../core/facts.js';
import { interruption } from '../../core/errors.js';
import { SUPPRESSED } from '../../core/suppressed.js';
import type { SeenKeys } from '../../core/duplicates.js';
import type { KnownClients } from '../repeats/known-clients.js';

/** How a list stands to the ones before it. */
export interface ListComparison {
  readonly rows: number;
  /** Rows that are as they were sent. */
  readonly unchanged: number;
  /** Clients of the lists before that are in this one too. */
  readonly again: number;
}

/** Problems of rows that a rule of the person leaves out: what it does not take is not in the list. */
const LEFT_OUT: ReadonlySet<string> = new Set(['filtered', SUPPRESSED]);
const REJECTED = 1;

/**
 * Reads a list, compares it with the ones before, and notes its clients in `list`. A row that is rejected is in the
 * list all the same, as far as its identifiers can be read.
 * @throws StopRun when the signal is aborted
 */
export async function compareList(
  chunks: AsyncIterable<PreparedChunk>,
  known: KnownClients,
  list: SeenKeys,
  signal: AbortSignal | undefined,
): Promise<ListComparison> {
  const found = { rows: 0, unchanged: 0, again: 0 };
  const note = (values: readonly (string | number)[], print: Print): void => {
    const { key, deed, isAsSent } = known.compare(values, print);
    if (isAsSent) found.unchanged++;
    if (list.find(key, 0)) return;
    list.add(key, 0, 0, 0);
    if (deed?.isPresent) found.again++;
  };
  for await (const chunk of chunks) {
    if (signal?.aborted) throw interruption(signal);
    found.rows += chunk.count;
    const { clients } = chunk;
    const prints = clients.prints ?? new Uint32Array(clients.at.length * PRINT_WORDS);
    for (let index = 0; index < clients.at.length; index++) {
      note(valuesOf(identifiersOf(clients, index)), printAt(prints, index));
    }
    if (chunk.rejected + chunk.skipped === 0) continue;
    for (const record of readFactOf(chunk.read).rows)
      if (isListed(record))
        note(
          record[2].map((value) => value ?? ''),
          NO_PRINT,
        );
  }
  return found;
}

const valuesOf = (identifiers: string): (string | number)[] =>
  Object.values(JSON.parse(identifiers) as Record<string, string | number>);

/** Whether the row of a client that is not sent is in the list. */
function isListed([, , identifiers, status, problems = []]: RowRecord): boolean {
  if (status === 0 || identifiers.includes(null)) return false;
  return status === REJECTED || !problems.some(({ code }) => LEFT_OUT.has(code));
}
