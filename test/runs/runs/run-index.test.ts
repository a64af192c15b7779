import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RunIndex, type RowFilter } from '../../../src/history/results.js';
import type { RunRecord } from '../../../src/core/ledger.js';
import type { RowReport } from '../../../src/core/report.js';
import type { Ledger } from '../../../src/ledger/port.js';

const RUN: RunRecord = {
  ...{ run: 'one', mode: 'create', state: 'finished', inputs: ['leads.csv'], campaignId: null },
  ...{ installation: 'demo', createdAt: 0, endedAt: 1, out: '', rows: null, outcomes: null },
};

const OUTCOMES = ['created', 'rejected', 'failed', 'skipped'] as const;

/** A row with none, one or two of three problems, and perhaps a remark. */
const anyRow = fc.record({
  outcome: fc.constantFrom(...OUTCOMES),
  problems: fc.subarray(['required', 'too_long', 'not_a_number'], { maxLength: 2 }),
  remark: fc.boolean(),
});

const problem = (code: string) => ({ column: 'Phone', code, message: code, value: null });

const rowsOf = (
  all: readonly { outcome: RowReport['outcome']; problems: string[]; remark: boolean }[],
): RowReport[] =>
  all.map(({ outcome, problems, remark }, ordinal) => ({
    ...{ ordinal, input: 0, sheet: null, row: ordinal + 2, uuid: null, identifiers: [ordinal] },
    outcome,
    ...{ createdClientId: null, createResult: null, enqueueResult: null, changeResult: null },
    problems: problems.map(problem),
    ...(remark ? { remarks: [problem('left_out')] } : {}),
  }));

/** A ledger whose chunks have so many rows, some of them none, and numbers with gaps. */
function ledgerOf(rows: readonly RowReport[], sizes: readonly number[]) {
  const chunks = new Map<number, RowReport[]>();
  let from = 0;
  for (let at = 0; from < rows.length; at++) {
    const size = sizes[at % sizes.length] ?? 1;
    chunks.set(2 * at, rows.slice(from, from + size));
    from += size;
  }
  const read: number[] = [];
  const waiting = { rows: 1, withCard: 0 };
  const ledger: Pick<Ledger, 'file' | 'rowsByChunk' | 'rowsOfChunk' | 'settingsOf' | 'undosOf'> = {
    file: 'cardline.db',
    rowsByChunk: () =>
      Promise.resolve([...chunks].map(([chunk, of]) => ({ chunk, rows: of, waiting }))),
    settingsOf: () => Promise.resolve({}),
    undosOf: () => Promise.resolve(new Map()),
    rowsOfChunk: (_, chunk) => {
      read.push(chunk);
      return Promise.resolve(chunks.get(chunk) ?? []);
    },
  };
  return { ledger: ledger as Ledger, chunks, read };
}

it('has every row of a kind on one of its pages, in order, and reads no other chunks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyRow, { maxLength: 60 }),
      fc
        .array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 4 })
        .filter((all) => all.some((size) => size > 0)),
      fc.integer({ min: 1, max: 20 }),
      async (all, sizes, limit) => {
        const rows = rowsOf(all);
        const { ledger, chunks, read } = ledgerOf(rows, sizes);
        const index = await RunIndex.read(ledger, RUN);
        expect(index.waiting.rows).toBe(chunks.size);
        const check = async (
          filter: RowFilter,
          belongs: (row: RowReport) => boolean,
        ): Promise<void> => {
          const wanted = rows.filter(belongs);
          expect(index.count(filter)).toBe(wanted.length);
          for (let offset = 0; offset <= wanted.length; offset += limit) {
            read.length = 0;
            const page = await index.page(ledger, RUN.run, { filter, offset, limit });
            expect(page).toEqual(wanted.slice(offset, offset + limit));
            const own = [...chunks].filter(([, of]) => of.some((row) => page.includes(row)));
            expect(read).toEqual(own.map(([chunk]) => chunk));
          }
        };
        await check({}, () => true);
        for (const outcome of OUTCOMES) await check({ outcome }, (row) => row.outcome === outcome);
        for (const { id, outcome, code } of index.tally.reasons.list())
          await check(
            { reason: id },
            (row) => row.outcome === outcome && row.problems.some((one) => one.code === code),
          );
        for (const remark of index.remarks.keys())
          await check({ remark }, ({ remarks }) => remarks !== undefined);
      },
    ),
    { numRuns: 60 },
  );
});
