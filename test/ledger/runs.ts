import type { Fact } from '../../src/core/facts.js';
import type { RunIdentity } from '../../src/core/ledger.js';
import { noOutcomes } from '../../src/core/outcome.js';
import type { Ledger, OpenedRun, RunRequest } from '../../src/ledger/port.js';

export const IDENTITY: RunIdentity = {
  ...{ inputs: ['/leads.csv'], content: 'cc', mapping: 'aa', campaignId: 7 },
  ...{ installation: 'demo http://localhost offerId', parts: {} },
};
export const withContent = (content: string, input = '/leads.csv'): RunIdentity => ({
  ...IDENTITY,
  ...{ content, inputs: [input] },
});
export const END = { rows: 2, outcomes: { ...noOutcomes(), enqueued: 2 } };
export const KNOWS: RunRequest['knows'] = { scope: 'same files', modes: new Set(['create']) };
/** When all runs of today are old. */
export const LATER = Date.now() + 1e9;

/** Two rows, of which the second is refused. */
export const READ: Fact = {
  kind: 'read',
  data: '{"input":0,"sheet":null,"first":0,"rows":[[2,"a",[1],0],[3,"b",[2],0]]}',
};
export const CREATING: Fact = { kind: 'creating', rows: [0, 1] };
export const CREATED: Fact = { kind: 'created', results: [[0, 11], [1, null, 'No.']] }; // prettier-ignore

export type Open = Extract<OpenedRun, { kind: 'open' }>;

export async function begin(ledger: Ledger, request: Partial<RunRequest> = {}): Promise<Open> {
  const run = await ledger.openRun({
    ...{ identity: IDENTITY, settings: { mode: 'create' }, out: (id) => `/runs/${id}` },
    ...request,
  });
  if (run.kind !== 'open') throw new Error(`the run is ${run.kind}`);
  return run;
}

/** A run from its beginning to its end. */
export async function ran(
  ledger: Ledger,
  request: Partial<RunRequest> = {},
  state: 'finished' | 'stopped' | 'open' = 'finished',
): Promise<{ readonly id: string; readonly relies: readonly string[] }> {
  const run = await begin(ledger, { knows: KNOWS, ...request });
  await run.ledger.record(0, [READ, CREATING, CREATED]);
  await run.ledger.end({ state, ...END });
  await run.close();
  return { id: run.ledger.run, relies: run.relies.map((one) => one.run) };
}
