import type { Fact } from '../../src/core/facts.js';
import { noOutcomes, type Outcome } from '../../src/core/outcome.js';
import { openLedger } from '../../src/ledger/ledger.js';

/** A run as a test puts it on record. */
export interface PastRunOfTest {
  readonly file: string;
  /** How each row ended; `created`, `rejected` and, of an undo, `undone` alone. */
  readonly rows: readonly ('created' | 'rejected' | 'undone')[];
  readonly mode?: string;
  readonly campaign?: string;
  /** `broken_off`: its process died in the middle. @default 'finished' */
  readonly state?: 'finished' | 'stopped' | 'broken_off';
  /** The run that it takes back. */
  readonly undoes?: string;
}

const uuid = (row: number): string => `00000000-0000-4000-8000-${String(row).padStart(12, '0')}`;

/** Puts runs on record, in this order. @returns their ids */
export async function recordRuns(
  ledger: string,
  runs: readonly PastRunOfTest[],
): Promise<string[]> {
  const opened = await openLedger(ledger, { thread: false });
  const ids: string[] = [];
  try {
    for (const [index, run] of runs.entries()) {
      const open = await opened.openRun({
        identity: {
          inputs: [run.file],
          content: `content ${index}`,
          mapping: 'mapping',
          installation: 'cc https://cc.example offerId',
          campaignId: run.campaign === undefined ? null : 7,
        },
        settings: settingsOf(run),
        out: (id) => `/runs/${id}`,
        again: true,
      });
      if (open.kind !== 'open') throw new Error('The run is done already.');
      await open.ledger.record(0, factsOf(run));
      const { state = 'finished' } = run;
      if (state !== 'broken_off') {
        const outcomes = noOutcomes();
        for (const outcome of run.rows) outcomes[outcome]++;
        await open.ledger.end({ state, rows: run.rows.length, outcomes });
      }
      await open.close();
      ids.push(open.ledger.run);
    }
    return ids;
  } finally {
    await opened.close();
  }
}

const settingsOf = ({ file, mode = 'create', campaign, undoes }: PastRunOfTest): object => ({
  installation: '/cc.yaml',
  sandbox: false,
  ...(undoes === undefined
    ? { files: [file], mapping: '/leads.yaml', mode, campaign: campaignOf(campaign) }
    : { mode: 'undo', undoes }),
});

const campaignOf = (name: string | undefined): object | null =>
  name === undefined ? null : { id: 7, maxCallCount: 3, name };

function factsOf({ rows }: PastRunOfTest): Fact[] {
  const at = (outcome: Outcome): number[] =>
    rows.flatMap((one, index) => (one === outcome ? [index] : []));
  const problem = { column: 'Phone', code: 'phone', message: 'is no phone number', value: 'Ann' };
  const read = rows.map((outcome, row) =>
    outcome === 'rejected'
      ? [row + 2, uuid(row), [row], 1, [problem]]
      : [row + 2, uuid(row), [row], 0],
  );
  const created = at('created');
  return [
    { kind: 'read', data: JSON.stringify({ input: 0, sheet: null, first: 0, rows: read }) },
    { kind: 'creating', rows: created },
    { kind: 'created', results: created.map((row) => [row, 100 + row]) },
  ];
}
