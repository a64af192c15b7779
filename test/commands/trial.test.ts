import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { words, wordsIn } from '../kit/words.js';
import { leadsFrom, MAPPING, useFolder } from './folder.js';

const ROWS = 5000;

const { at, read, run, json } = useFolder({
  'leads.csv': leadsFrom(1, ROWS),
  'few.csv': leadsFrom(9001, 9002),
  'by-phone.yaml': `duplicates: { by: phone }\n${MAPPING}`,
  'shared.csv': `Id;Phone\n1;79165550001\n2;79165550002\n3;79165550001\n4;79165550004\n`,
});
const files = words`-m mapping.yaml -i center.yaml`;
const checking = (options: string) => run`check leads.csv ${files} --show 0 ${wordsIn(options)}`;
const importing = (ledger: string, options: string) =>
  run`import leads.csv ${files} --sandbox --ledger ${ledger}.db -q ${wordsIn(options)}`;

describe('check', () => {
  it.each([
    ['--limit 10', { rows: 10, first: 2, last: 11, left: ROWS - 10, hasMore: false }],
    ['--rows 3000-3100', { rows: 101, first: 3000, last: 3100, left: ROWS - 101 }],
    ['--rows 7', { rows: 1, first: 7, last: 7, left: ROWS - 1 }],
    ['--rows 1001-4000 --limit 5', { rows: 5, first: 1001, last: 1005 }],
    [`--rows ${ROWS}-9000`, { rows: 2, first: ROWS, last: ROWS + 1, left: ROWS - 2 }],
    ['--rows 9000-9001', { rows: 0, first: null, last: null, left: ROWS }],
    ['--limit 2500', { rows: 2500, first: 2, last: 2501, left: ROWS - 2500 }],
  ])('with %s reads these rows alone', async (options, trial) => {
    const { stdout, stderr } = await checking(`--json -q ${options}`);
    expect(JSON.parse(stdout), stderr).toMatchObject({
      ...{ rows: trial.rows, clients: trial.rows, trial },
    });
  });

  it('says that it was a trial, and when it was about all rows', async () => {
    const some = await checking('--limit 3');
    expect(some.stdout).toContain('This was a trial of rows 2-4; the file has 4,997 more rows.');
    expect(some.stdout).toMatch(
      /^ {2}cardline import leads\.csv -m mapping\.yaml -i center\.yaml$/m,
    );
    const none = await checking('--rows 9000-9001');
    expect(none.stdout).toContain('rows that are not there: the file has 5,000 rows.');
    expect(none.stderr).not.toContain('no data rows');
    const { stdout } = await checking('--rows 2-9000');
    expect(stdout).toContain('This was a trial of rows 2-5001: the file has no other rows.');
    expect(stdout).not.toContain('0 more rows');
    const all = JSON.parse((await checking('--json -q')).stdout) as object;
    expect(all).toMatchObject({ rows: ROWS });
    expect(all).not.toHaveProperty('trial');
  });

  it.each(['0-5', '5-3', 'x', '3-'])('refuses the range %s', async (range) => {
    const { code, stderr } = await checking(`--rows ${range}`);
    expect(code).toBe(64);
    expect(stderr).toContain('--rows takes the numbers of the first and the last row');
  });
});

describe('import', () => {
  it('sends the rows of the trial, and then those that it left', async () => {
    const trial = await importing('one', '--rows 100-101 --json --out trial');
    expect(JSON.parse(trial.stdout), trial.stderr).toMatchObject({
      ...{ rows: 2, outcomes: { created: 2 } },
      trial: { rows: 2, first: 100, last: 101, left: ROWS - 2 },
    });
    expect(await read('trial/report.csv')).toMatch(/^101,/m);
    const other = await importing('one', '--limit 1 --json');
    expect(JSON.parse(other.stdout)).toMatchObject({ rows: 1, outcomes: { created: 1 } });
    expect((await importing('one', '--limit 1')).stderr).toContain('nothing was sent');
    const all = await importing('one', '--json');
    expect(JSON.parse(all.stdout), all.stderr).toMatchObject({
      ...{ rows: ROWS, outcomes: { created: ROWS - 3, skipped: 3 } },
    });
    expect(all.stderr).not.toContain('is the file whole?');
  });

  it('shows what the whole import is called with, where there are other rows', async () => {
    const { stdout } = await importing('two', '--limit 2');
    expect(stdout).toContain('This was a trial of rows 2-3; the file has 4,998 more rows.');
    expect(stdout).toContain(
      'Next: import the other rows too:\n  cardline import leads.csv -m mapping.yaml -i center.yaml --sandbox --ledger two.db\n',
    );
    const few = await run`import few.csv ${files} --sandbox --ledger few.db -q --limit 5`;
    expect(few.stdout).toContain('This was a trial of rows 2-3: the file has no other rows.');
    expect(few.stdout).toContain('Next: look at the report:');
  });

  it('takes --dry-run for a check, and says so', async () => {
    const dry = words`--dry-run --campaign 42 --ledger dry.db`;
    const { code, stdout, stderr } = await run`import leads.csv ${files} ${dry}`;
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('Nothing is sent: --dry-run does what "cardline check" does.');
    expect(stdout).toContain('5,000 would be sent');
    expect(existsSync(at('dry.db'))).toBe(false);
  });
});

describe('a trial with duplicates by phone', () => {
  const sending = (ledger: string): string[] =>
    words`import shared.csv -m by-phone.yaml -i center.yaml --sandbox --ledger ${ledger}.db -q --json`;

  it('is not about rows in the middle, which would send a phone twice', async () => {
    const { code, stderr } = await run`${sending('middle')} --rows 4-4`;
    expect(code).toBe(64);
    expect(stderr).toContain('Try the first rows with --limit, or look at these with check --rows');
  });

  it.each([
    ['--limit 1', 1],
    ['--rows 2-3', 2],
    ['--limit 3', 2],
  ])('with %s sends each phone once, together with the rest', async (part, sent) => {
    const ledger = `shared${part.replace(/[- ]+/g, '')}`;
    await run`${sending(ledger)} ${wordsIn(part)}`;
    const all = await json<{ outcomes: object }>`${sending(ledger)} --out ${ledger}`;
    expect(await read(ledger, 'report.csv')).toMatch(/^4,.*skipped.*which goes in its place/m);
    expect(all.outcomes).toMatchObject({ created: 3 - sent, skipped: sent + 1 });
  });
});
