import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { cardline } from '../kit/cardline.js';
import { countOutcomes, csv, lead, MAPPING, useBench } from '../kit/bench.js';

const DROPPING = MAPPING.replace('split: ";"', 'split: ";", invalid: drop').replace(
  'column: Mail',
  'column: Mail, invalid: drop',
);
const OPTIONS = ['--campaign', '42', '--batch-size', '50'];
const ROWS = Array.from({ length: 1200 }, (_, index) =>
  lead(index + 1, {
    Other: index % 10 === 0 ? 'нет' : '',
    Mail: index % 100 === 3 ? 'none' : '',
  }),
);
const REMARKS = [
  { column: 'Other', code: 'not_a_phone', count: 120, firstRow: 2 },
  { column: 'Mail', code: 'not_an_email', count: 12, firstRow: 5 },
];

const bench = useBench({
  prepare: async (its) => {
    await its.write('mapping.yaml', DROPPING);
    await its.list(ROWS);
  },
});

interface Remarked {
  readonly remarks: readonly object[];
}

it('values that are left out are counted, and stand in every report, also of a run that is continued', async () => {
  const run = await bench.import('run', [bench.at('leads.csv')], OPTIONS);
  const counts = countOutcomes(run.report());
  expect(run.summary()).toMatchObject({ rows: 1200, remarks: REMARKS });
  expect(run.stdout).toContain('132 values were left out: Other 120, Mail 12');
  const remarked = run.report().filter(({ remarks }) => remarks !== '');
  expect(remarked).toHaveLength(132);
  expect(remarked[0]).toMatchObject({
    outcome: 'enqueued',
    problems: '',
    remarks: expect.stringMatching(/^Other: Left out: .* \(нет\)$/) as string,
  });
  expect(counts).toEqual({ enqueued: 1200 });
  const jsonl = await bench.run(
    ...['report', run.summary().run, '--ledger', run.ledger, '--format', 'jsonl'],
  );
  const rows = jsonl.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Remarked);
  expect(rows[0]?.remarks).toMatchObject([{ column: 'Other', code: 'not_a_phone', value: 'нет' }]);
  expect(rows[1]?.remarks).toEqual([]);
  expect(run.log()).not.toContain('нет');

  // One that is continued has the same.
  const last = bench.center.requests.length + 8;
  const stop = new AbortController();
  bench.center.behave = () => {
    if (bench.center.requests.length >= last) stop.abort();
    return undefined;
  };
  const cut = await bench.import('parted', [bench.at('leads.csv')], OPTIONS, stop.signal);
  expect(cut.code, cut.stderr).toBe(3);
  const parted = await bench.import('parted', [bench.at('leads.csv')], OPTIONS);
  const remarksOf = (one: typeof run): unknown[] =>
    one.report().map(({ row, remarks }) => [row, remarks]);
  expect(remarksOf(parted)).toEqual(remarksOf(run));
  const summary = JSON.parse(readFileSync(`${parted.out}/summary.json`, 'utf8')) as Remarked;
  expect(summary.remarks).toMatchObject(REMARKS);
});

it('a check counts the same', async () => {
  const args = ['-m', bench.at('mapping.yaml'), '-i', bench.at('center.yaml'), '--json'];
  const { stdout } = await cardline(['check', bench.at('leads.csv'), ...args]);
  expect(JSON.parse(stdout)).toMatchObject({ clients: 1200, remarks: REMARKS });
});

it('check and import suspect the mapping where a column fails alike, and name the option', async () => {
  const mapping = MAPPING.replace(
    'comment: Comment',
    'comment: { column: Comment, transform: date }',
  );
  await bench.write('mapping.yaml', mapping);
  const rows = Array.from({ length: 200 }, (_, at) =>
    lead(at + 1, { Comment: `${String((at % 28) + 1).padStart(2, '0')}.03.2026` }),
  );
  const file = await bench.write('dates.csv', csv(rows));
  const suspicion =
    'suspect the mapping: Comment: 200 of 200 look like dd.MM.yyyy; add from: dd.MM.yyyy';
  const args = ['-m', bench.at('mapping.yaml'), '-i', bench.at('center.yaml')];
  expect((await cardline(['check', file, ...args])).stdout).toContain(suspicion);
  expect((await bench.import('dates', [file], OPTIONS)).stderr).toContain(suspicion);
});
