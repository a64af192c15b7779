import { describe, expect, it } from 'vitest';
import { csv, lead, leads, useBench } from '../kit/bench.js';
import { cardline } from '../kit/cardline.js';

/** Names of files and what a server says may hold commands for a terminal, or turn the direction of text. */
const bench = useBench();

/** C0, DEL, C1, and the signs of direction: each of them once. */
const SIGNS = '\u0007\u001b\u007f\u0080\u009b\u009f\u061c\u200e\u200f\u202a\u202e\u2066\u2069';
const OBEYED = /[^\P{Cc}\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
/** What a text file may hold: others of the signs say that it is none. */
const TEXT = SIGNS.slice(3);
/** What a cell has of it: the signs of direction are taken off. */
const CELL = TEXT.slice(0, 3);
const NAME = `leads-\u001b[2J\u202etxt\u009b.csv`;

const run = (...args: string[]) => cardline(args, { cwd: bench.at('.'), env: bench.environment });

/** Everything that a command prints, which holds nothing that a terminal obeys. */
async function shown(...args: string[]): Promise<string> {
  const { stdout, stderr } = await run(...args);
  expect([args, stdout + stderr]).toEqual([args, expect.not.stringMatching(OBEYED)]);
  return stdout + stderr;
}

/** Imports two rows of a file of a bad name: the contact center refuses the second with bad words. */
async function imported(): Promise<string> {
  await bench.write(NAME, csv(leads(2)));
  bench.center.behave = ({ operation }) =>
    operation === '4.1'
      ? {
          refuse: ({ fields }) =>
            (fields as { offerId: number }).offerId === 100_002 ? `No ${SIGNS}` : undefined,
        }
      : undefined;
  const common = ['-m', 'mapping.yaml', '-i', 'center.yaml', '-o', 'out', '--json'];
  const { stdout, code, stderr } = await run('import', NAME, ...common);
  expect(code, stderr).toBe(2);
  expect(stdout + stderr).not.toMatch(OBEYED);
  return (JSON.parse(stdout) as { run: string }).run;
}

describe('what a person is shown', () => {
  it('holds nothing that a terminal obeys, whatever files are called and servers say', async () => {
    const id = await imported();
    expect(await shown('runs')).toContain('leads-\ufffd[2J\ufffdtxt\ufffd.csv');
    expect(await shown('runs', 'show', id)).toContain('leads-');
    expect(await shown('runs', '--trend', 'mapping.yaml')).toContain('leads-');
    expect(await shown('report', id, '--format', 'text')).toContain('No \ufffd');
    expect(await shown('check', NAME, '-m', 'mapping.yaml')).toContain('leads-');
    await shown('import', NAME, '-m', 'mapping.yaml', '-i', 'center.yaml', '--again');
    await shown('import', `${NAME}.gone`, '-m', 'mapping.yaml', '-i', 'center.yaml');
    await shown('check', NAME, '-m', `${NAME}.gone`);
    await shown('runs', 'show', NAME);
    await shown('runs', `--${NAME}`);
  });

  it('holds none of what a client card or a refusal of an operation says', async () => {
    const refusal = JSON.stringify({ errorMessage: `No ${SIGNS}` });
    bench.center.behave = () => ({ untouched: true, answer: { status: 404, body: refusal } });
    const find = ['clients', 'get', '-i', 'center.yaml'];
    expect(await shown(...find, '--id', 'offerId=1', '--id', 'offerDomain=a')).toContain(
      'No \ufffd',
    );
    const card = JSON.stringify({ clientFieldsToValues: { id: 1, fullName: SIGNS } });
    bench.center.behave = () => ({ untouched: true, answer: { status: 200, body: card } });
    const ids = ['--id', 'offerId=1', '--id', 'offerDomain=a'];
    expect(await shown(...find, ...ids, '--no-json')).toContain('fullName');
    const { stdout } = await run(...find, ...ids, '--json');
    expect(stdout).not.toMatch(OBEYED);
    expect(JSON.parse(stdout)).toEqual({ clientFieldsToValues: { id: 1, fullName: SIGNS } });
  });
});

describe('what a program reads', () => {
  it('has the same data as JSON, with escapes', async () => {
    await bench.write(NAME, csv([lead(1, { Comment: TEXT })]));
    const rows = await run('rows', NAME);
    expect(rows.stdout).not.toMatch(OBEYED);
    const [, row] = rows.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { cells: string[] });
    expect(row?.cells).toContain(CELL);
    const check = await run('check', NAME, '-m', 'mapping.yaml', '--json');
    expect(check.stdout).not.toMatch(OBEYED);
    expect(JSON.parse(check.stdout)).toMatchObject({ inputs: [{ file: NAME }] });
  });

  it('has the same data in a report as JSON lines, and each byte of one as CSV', async () => {
    const id = await imported();
    const lines = await run('report', id, '--format', 'jsonl');
    expect(lines.stdout).not.toMatch(OBEYED);
    const [, second] = lines.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(second).toMatchObject({ createResult: `No ${SIGNS}` });
    expect(String(second?.['file'])).toContain(NAME);
    const runs = await run('runs', '--json');
    expect(runs.stdout).not.toMatch(OBEYED);
    const table = await run('report', id, '--format', 'csv');
    expect(table.stdout).toContain(`No ${SIGNS}`);
  });
});
