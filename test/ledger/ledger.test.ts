import Database from 'better-sqlite3';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LedgerError, UsageError } from '../../src/core/errors.js';
import type { Fact } from '../../src/core/facts.js';
import type { RunIdentity } from '../../src/core/ledger.js';
import { noOutcomes } from '../../src/core/outcome.js';
import { openLedger } from '../../src/ledger/ledger.js';
import type { Ledger, OpenedRun, RunRequest } from '../../src/ledger/port.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardline-ledger-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const IDENTITY: RunIdentity = {
  inputs: ['/leads.csv'],
  content: 'cc',
  mapping: 'aa',
  installation: 'demo http://localhost',
  campaignId: 7,
};

type Open = Extract<OpenedRun, { kind: 'open' }>;

async function opened(
  ledger: Ledger,
  identity = IDENTITY,
  request: Partial<RunRequest> = {},
): Promise<Open> {
  const run = await ledger.openRun({
    identity,
    settings: { a: 1 },
    out: (id) => `runs/${id}`,
    ...request,
  });
  if (run.kind !== 'open') throw new Error('the run is done');
  return run;
}

const END = { rows: 3, outcomes: { ...noOutcomes(), enqueued: 3 } };

const READ: Fact = {
  kind: 'read',
  data: JSON.stringify({
    input: 0,
    sheet: null,
    first: 0,
    rows: [
      [2, 'a', [1], 0],
      [3, 'b', [2], 0],
      [4, null, [null], 1, [{ column: 'Phone', code: 'bad', message: 'is bad', value: 'x' }]],
      [5, 'd', [4], 0],
      [6, 'e', [5], 0],
    ],
  }),
};

test('what was recorded is there when the ledger is opened again, in the order of the rows', async () => {
  const file = join(folder, 'deep', 'cardline.db');
  const first = await openLedger(file, { thread: false });
  const open = await opened(first);
  const run = open.ledger;
  expect(run.continued).toBe(false);
  await Promise.all([
    run.record(1, [
      { kind: 'read', data: '{"input":0,"sheet":null,"first":5,"rows":[[7,"f",[6],0]]}' },
    ]),
    run.record(0, [READ]),
    run.record(0, [{ kind: 'creating', rows: [0, 1, 3, 4] }]),
    run.record(0, [
      {
        kind: 'created',
        results: [
          [0, 11],
          [1, null, 'No.'],
          [3, 12],
          [4, 13],
        ],
      },
    ]),
    run.record(0, [{ kind: 'enqueuing', rows: [0, 3] }]),
    run.record(0, [{ kind: 'enqueued', results: [[0], [3, 'Client already exists']] }]),
  ]);
  await open.close();
  await first.close();

  const second = await openLedger(file, { thread: false });
  const again = (await opened(second)).ledger;
  expect(again.continued).toBe(true);
  expect(again.run).toBe(run.run);
  const rows = [...(await again.rows())].map((row) => [
    row.row,
    row.outcome,
    row.createdClientId,
    row.enqueueResult,
  ]);
  expect(rows).toEqual([
    [2, 'enqueued', 11, 'Success'],
    [3, 'failed', null, null],
    [4, 'rejected', null, null],
    [5, 'enqueue_failed', 12, 'Client already exists'],
  ]);
  // The last row's card exists, and its call application was never asked for.
  expect(await again.waiting()).toEqual({ rows: 2, withCard: 1 });
  await second.close();
});

test('a finished run is not repeated, unless it is asked for', async () => {
  const ledger = await openLedger(join(folder, 'cardline.db'), { thread: false });
  const first = await opened(ledger);
  await first.ledger.end({ state: 'finished', ...END });
  await first.close();
  const done = await ledger.openRun({ identity: IDENTITY, settings: {}, out: () => '' });
  expect(done).toMatchObject({
    kind: 'done',
    record: { run: first.ledger.run, state: 'finished', rows: 3, out: first.out },
  });
  const again = await opened(ledger, IDENTITY, { again: true });
  expect(again.ledger.run).not.toBe(first.ledger.run);
  expect((await ledger.runs()).map(({ state }) => state)).toEqual(['running', 'finished']);
  await ledger.close();
});

test('the digest of large inputs is asked for where a run may have had them, and recorded later', async () => {
  const ledger = await openLedger(join(folder, 'cardline.db'), { thread: false });
  const fingerprint = { sample: 'ff', content: 'ff 1@2' };
  const large = { ...IDENTITY, content: fingerprint.content, fingerprint };
  expect(await ledger.asksContent(large)).toBe(false);
  const first = await opened(ledger, large);
  expect(await ledger.asksContent(large)).toBe(true);
  expect(await ledger.asksContent({ ...large, inputs: ['/copy.csv'] })).toBe(true);
  await first.ledger.record(0, [READ, { kind: 'creating', rows: [0] }]);
  await first.close();
  // It was killed before its digest was known, so that it is known by what its files showed.
  const second = await opened(ledger, { ...large, content: 'dd' });
  expect([second.ledger.run, second.ledger.continued]).toEqual([first.ledger.run, true]);
  await second.ledger.end({ state: 'finished', ...END });
  await second.close();
  const copy = { ...IDENTITY, content: 'dd', fingerprint: { sample: 'ff', content: 'ff 1@3' } };
  expect((await ledger.openRun({ identity: copy, settings: {}, out: () => '' })).kind).toBe('done');
  const other = { sample: 'gg', content: 'gg 1@2' };
  expect(
    await ledger.asksContent({ ...IDENTITY, content: other.content, fingerprint: other }),
  ).toBe(false);
  const third = await opened(ledger, { ...IDENTITY, content: other.content, fingerprint: other });
  await third.identify('ee');
  await third.ledger.end({ state: 'finished', ...END });
  await third.close();
  const known = { ...IDENTITY, content: 'ee' };
  expect((await ledger.openRun({ identity: known, settings: {}, out: () => '' })).kind).toBe(
    'done',
  );
  await ledger.close();
});

test('a ledger of the first version is brought up to date, with its runs', async () => {
  const file = join(folder, 'cardline.db');
  const ledger = await openLedger(file, { thread: false });
  const run = await opened(ledger);
  await run.ledger.end({ state: 'finished', ...END });
  await run.close();
  await ledger.close();
  const early = new Database(file);
  for (const column of ['fingerprint', 'opened_at', 'parts', 'worker', 'relies', 'settles_all'])
    early.exec(`ALTER TABLE run DROP COLUMN ${column}`);
  early.exec('DROP TABLE ledger');
  early.pragma('application_id = 0');
  early.pragma('user_version = 1');
  early.close();
  const later = await openLedger(file, { thread: false });
  const done = await later.openRun({ identity: IDENTITY, settings: {}, out: () => '' });
  expect(done).toMatchObject({ kind: 'done', record: { run: run.ledger.run } });
  await later.close();
});

test.each([
  ['the input', { content: 'dd' }],
  ['the mapping (or --mode, --recovery, --limit or --rows)', { mapping: 'bb' }],
  ['the installation', { installation: 'other http://localhost' }],
  ['the campaign', { campaignId: 8 }],
])('a run that broke off is not continued when %s has changed', async (what, change) => {
  const ledger = await openLedger(join(folder, 'cardline.db'), { thread: false });
  const run = await opened(ledger);
  await run.ledger.record(0, [READ, { kind: 'creating', rows: [0] }]);
  await run.close();
  const changed = { ...IDENTITY, ...change };
  await expect(opened(ledger, changed)).rejects.toThrow(`and ${what} has changed`);
  await expect(opened(ledger, changed, { run: run.ledger.run })).rejects.toThrow(UsageError);
  expect((await opened(ledger, changed, { again: true })).ledger.continued).toBe(false);
  // Another file is another matter.
  const other = { ...IDENTITY, content: 'ee', inputs: ['/other.csv'] };
  expect((await opened(ledger, other)).ledger.continued).toBe(false);
  await ledger.close();
});

const CREATING: Fact = { kind: 'creating', rows: [0, 1] };

test.each<[string, readonly Fact[]]>([
  ['nothing', []],
  ['only its rows', [READ, { kind: 'duplicates', rows: [] }]],
  ['only what it took back', [READ, CREATING, { kind: 'not_created', rows: [1, 0] }]],
])('a run that broke off with %s on record binds nobody', async (_what, facts) => {
  const ledger = await openLedger(join(folder, 'cardline.db'), { thread: false });
  const first = await opened(ledger);
  await first.ledger.record(0, facts);
  if (facts.length > 1) await first.ledger.end({ state: 'stopped', ...END });
  await first.close();
  const changed = { ...IDENTITY, mapping: 'bb', installation: 'other', campaignId: null };
  const second = await opened(ledger, changed, { settings: { a: 2 }, out: () => 'elsewhere' });
  expect(second.ledger).toMatchObject({ run: first.ledger.run, continued: false });
  expect(second.out).toBe('elsewhere');
  expect(await ledger.settingsOf(second.ledger.run)).toEqual({ a: 2 });
  expect([...(await second.ledger.rows())]).toEqual([]);
  expect(await ledger.runs()).toMatchObject([
    { run: first.ledger.run, installation: 'other', state: 'running', rows: null },
  ]);
  await second.close();
  // Nor does it bind whoever continues it by its name, or changes nothing.
  const third = await opened(ledger, IDENTITY, { run: first.ledger.run });
  expect(third.out).toBe('elsewhere');
  await third.close();
  expect((await opened(ledger)).ledger).toMatchObject({ run: first.ledger.run, continued: false });
  await ledger.close();
});

test.each<[string, readonly Fact[]]>([
  ['an intent', [READ, CREATING]],
  ['an intent that was taken back in part', [READ, CREATING, { kind: 'not_created', rows: [1] }]],
  [
    'what a lookup did not find',
    [
      READ,
      CREATING,
      { kind: 'create_unknown', rows: [0, 1], reason: '' },
      { kind: 'create_settled', found: [], absent: [0, 1] },
    ],
  ],
])('a run that broke off with %s on record is not left behind', async (_what, facts) => {
  const ledger = await openLedger(join(folder, 'cardline.db'), { thread: false });
  const bound = await opened(ledger);
  await bound.ledger.record(1, facts);
  await bound.close();
  const other = { ...IDENTITY, installation: 'other' };
  // Neither does a later run that sent nothing hide it.
  await (await opened(ledger, other, { again: true })).close();
  await expect(opened(ledger, { ...IDENTITY, installation: 'third' })).rejects.toThrow(
    bound.ledger.run,
  );
  expect((await opened(ledger)).ledger).toMatchObject({ run: bound.ledger.run, continued: true });
  await ledger.close();
});

test('a run that sent nothing is not taken from a process that works on it', async () => {
  const file = join(folder, 'cardline.db');
  const ledger = await openLedger(file, { thread: false });
  const other = await openLedger(file, { thread: false });
  await opened(ledger);
  await expect(opened(other, { ...IDENTITY, installation: 'other' })).rejects.toThrow(
    /Another process/,
  );
  expect(await other.runs()).toMatchObject([{ installation: IDENTITY.installation }]);
  await ledger.close();
  await other.close();
});

test('a run that is at its end with something unknown is continued, and does not stand in the way', async () => {
  const ledger = await openLedger(join(folder, 'cardline.db'), { thread: false });
  const run = await opened(ledger);
  await run.ledger.end({ state: 'open', ...END });
  await run.close();
  const tomorrow = await opened(ledger, { ...IDENTITY, content: 'dd' });
  expect(tomorrow.ledger.continued).toBe(false);
  expect((await opened(ledger)).ledger.run).toBe(run.ledger.run);
  await ledger.close();
});

test('a second process is kept from a run', async () => {
  const file = join(folder, 'cardline.db');
  const ledger = await openLedger(file, { thread: false });
  const other = await openLedger(file, { thread: false });
  const run = await opened(ledger);
  await expect(opened(other)).rejects.toThrow(/Another process/);
  expect(await other.runs()).toMatchObject([{ state: 'running' }]);
  await run.close();
  expect(await other.runs()).toMatchObject([{ state: 'broken_off' }]);
  expect((await opened(other)).ledger.run).toBe(run.ledger.run);
  await ledger.close();
  await other.close();
});

test('finished runs are forgotten when they are old, others never', async () => {
  const ledger = await openLedger(join(folder, 'cardline.db'), { thread: false });
  const old = await opened(ledger);
  await old.ledger.record(0, [READ]);
  await old.ledger.end({ state: 'finished', ...END });
  await old.close();
  const broken = await opened(ledger, { ...IDENTITY, content: 'dd' });
  expect(await ledger.prune(Date.now() - 60_000)).toEqual([]);
  expect(await ledger.prune(Date.now() + 1)).toEqual([old.ledger.run]);
  expect((await ledger.runs()).map(({ run }) => run)).toEqual([broken.ledger.run]);
  expect(await ledger.settingsOf(broken.ledger.run)).toEqual({ a: 1 });
  await ledger.close();
});

test.each([[false], [true]])(
  'what is read of one run can be written to another meanwhile, chunk by chunk (backwards: %s)',
  async (backwards) => {
    const ledger = await openLedger(join(folder, 'cardline.db'));
    const earlier = await opened(ledger);
    for (const chunk of [0, 1, 2, 5])
      await earlier.ledger.record(chunk, [READ, { kind: 'creating', rows: [chunk] }]);
    await earlier.close();
    const later = await opened(ledger, IDENTITY, { again: true });
    const order: number[] = [];
    for (const [chunk, facts] of await ledger.factsOf(earlier.ledger.run, backwards)) {
      order.push(chunk);
      await later.ledger.record(chunk, facts);
    }
    expect(order).toEqual(backwards ? [5, 2, 1, 0] : [0, 1, 2, 5]);
    const one = [...(await ledger.factsOf(earlier.ledger.run))];
    const other = [...(await ledger.factsOf(later.ledger.run))];
    expect(other).toEqual(one);
    expect(one).toHaveLength(4);
    await later.close();
    await ledger.close();
  },
);

test('the ledger is readable by its owner alone', async () => {
  const file = join(folder, 'cardline.db');
  await (await openLedger(file, { thread: false })).close();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a file that is not a ledger is refused and left as it was', async () => {
  const file = join(folder, 'leads.csv');
  writeFileSync(file, 'a,b\n'.repeat(1000));
  await expect(openLedger(file, { thread: false })).rejects.toThrow(LedgerError);
  await expect(openLedger(file, { thread: false })).rejects.toThrow(/not a ledger/);
  expect(statSync(file).size).toBe(4000);
  await expect(openLedger(folder, { thread: false })).rejects.toThrow(LedgerError);
});
