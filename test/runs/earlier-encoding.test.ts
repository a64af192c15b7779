import iconv from 'iconv-lite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Bench, csv, lead, openBench } from './harness.js';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const NAMES = ['Иван', 'Ольга', 'Дмитрий', 'Наталья', 'Светлана', 'Алексей', 'Екатерина'];

const rows = (first: number): Buffer[] =>
  ['windows-1251', 'koi8-r', 'utf8'].map((name) =>
    iconv.encode(csv(NAMES.map((First, at) => lead(first + at, { First, Last: 'Сидоров' }))), name),
  );

it('an import without a terminal refuses a file that an earlier run read in another encoding', async () => {
  const [windows, , unicode] = rows(1);
  const [, koi] = rows(100);
  const write = (content: Buffer | undefined) => bench.write('leads.csv', content ?? '');
  const file = await write(windows);
  const first = await bench.import('run', [file]);
  expect(first.code, first.stderr).toBe(0);
  const before = bench.center.creations.size;
  const again = (out: string, options: readonly string[] = []) =>
    bench.import(out, [file], ['--ledger', first.ledger, '--out', bench.at(out), ...options]);

  await write(koi);
  const refused = await again('refused');
  expect(refused.code).toBe(64);
  expect(refused.stderr).toContain('the text is koi8-r now, and run');
  expect(refused.stderr).toContain('windows-1251');
  expect(bench.center.creations.size).toBe(before);

  const named = await again('named', ['--encoding', 'koi8-r']);
  expect(named.code, named.stderr).toBe(0);
  expect(bench.center.creations.size).toBe(before + NAMES.length);

  // UTF-8 is known by its form, and not compared.
  await write(unicode);
  const other = await again('unicode');
  expect(other.code, other.stderr).toBe(0);
});
