import { afterEach, beforeEach, expect, it } from 'vitest';
import { cardline } from '../kit/cardline.js';
import { type Bench, csv, leads, openBench } from './harness.js';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const TOLD = /has a header and no data rows/;
const HEADER = csv([]);

const run = (command: string, file: string, ...more: string[]) => {
  const files = [file, '-m', bench.at('mapping.yaml'), '-i', bench.at('center.yaml')];
  const places = command === 'check' ? [] : ['--ledger', bench.at(`${command}.db`)];
  const args = [command, ...files, ...places, '--out', bench.at(command), ...more];
  return cardline(args, { env: bench.environment });
};

it.each([
  ['a header alone', HEADER],
  ['a header and blank lines', `${HEADER}\r\n\r\n`],
])('%s is told, and is an error only where rows are expected', async (_what, text) => {
  const file = await bench.write('empty.csv', text);
  for (const command of ['import', 'check', 'reconcile']) {
    const told = await run(command, file);
    expect(told.stderr, command).toMatch(TOLD);
    expect(told.code, command).toBe(0);
    const expected = await run(command, file, '--expect-rows');
    expect(expected.stderr, command).toMatch(TOLD);
    expect(expected.code, command).toBe(2);
  }
  expect(bench.center.requests).toEqual([]);
});

it('a file with rows is not', async () => {
  const file = await bench.write('leads.csv', csv(leads(3)));
  for (const command of ['check', 'import', 'reconcile']) {
    const { code, stderr } = await run(command, file, '--expect-rows');
    expect(stderr).not.toMatch(TOLD);
    expect(code).toBe(0);
  }
});

it('warns of an unusual size within one source alone', async () => {
  const importing = async (name: string, rows: number): Promise<string> => {
    const file = await bench.write(name, csv(leads(rows)));
    return (await run('import', file, '--again')).stderr;
  };
  await importing('acme-2026-11-01.csv', 400);
  expect(await importing('other-2026-11-01.csv', 20)).not.toMatch(/is the file whole/);
  expect(await importing('acme-2026-11-02.csv', 100)).toMatch(
    /100 rows, where the last file of the same source had 400: is the file whole\?/,
  );
});
