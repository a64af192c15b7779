import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cardline } from '../kit/cardline.js';
import { countOutcomes, csv, identityOf, lead, twice, useBench } from '../kit/bench.js';

const bench = useBench();

it('rejects whose cards exist are only added to the campaign when they are imported again', async () => {
  const file = await bench.list(30);
  const campaign = ['--campaign', '42'];
  bench.center.behave = ({ operation }) =>
    operation === '4.9' ? { refuse: () => 'Client is in blacklist' } : undefined;
  const first = await bench.import('run', [file], campaign);
  expect(countOutcomes(first.report())).toEqual({ enqueue_failed: 30 });
  bench.center.behave = () => undefined;
  const ledger = ['--ledger', first.ledger, '--out', bench.at('again')];
  const second = await bench.import(
    'again',
    [join(first.out, 'rejects.csv')],
    [...campaign, ...ledger],
  );
  expect(second.code, second.stderr).toBe(0);
  expect(countOutcomes(second.report())).toEqual({ enqueued: 30 });
  expect(twice(bench.center.creations)).toEqual([]);
});

it('rejects that were saved elsewhere are told of, and --settle-all looks their clients up', async () => {
  const file = await bench.list(3);
  const campaign = ['--campaign', '42'];
  bench.center.behave = ({ operation }) =>
    operation === '4.9' ? { refuse: () => 'Client is in blacklist' } : undefined;
  const first = await bench.import('run', [file], campaign);
  bench.center.behave = () => undefined;
  const told = /saved\.csv holds rejects of a run, but is not where that run left them/;
  expect(first.stderr).not.toMatch(told);
  const rejects = join(first.out, 'rejects.csv');
  const saved = await bench.write('saved.csv', await readFile(rejects, 'utf8'));
  const again = (out: string, input: string, ...more: string[]) =>
    bench.import(
      out,
      [input],
      [...campaign, ...['--ledger', first.ledger, '--out', bench.at(out), ...more]],
    );
  const settled = await again('settled', saved, '--settle-all');
  expect(settled.code, settled.stderr).toBe(0);
  expect(settled.stderr).not.toMatch(told);
  expect(countOutcomes(settled.report())).toEqual({ enqueued: 3 });
  expect(twice(bench.center.creations)).toEqual([]);
  const inPlace = await again('in place', rejects);
  expect(inPlace.stderr).not.toMatch(/holds rejects/);
  expect(twice(bench.center.creations)).toEqual([]);
  expect((await again('anew', saved, '--again')).stderr).not.toMatch(told);
  await bench.write('saved.csv', `${await readFile(rejects, 'utf8')}\n`);
  expect((await again('copy', saved)).stderr).toMatch(told);
});

it('rejects of one list that came by standard input have nothing to do with those of another one', async () => {
  const bad = (number: number) => lead(number, { Mobile: 'none' });
  const ledger = ['--ledger', bench.at('runs.db')];
  const options = { cwd: bench.at(''), env: bench.environment };
  const corrected: string[] = [];
  for (const [name, rows] of [
    ['one', [bad(1), bad(2), bad(3)]],
    ['two', [bad(4)]],
  ] as const) {
    await cardline(bench.args(name, ['-'], ledger), { ...options, input: csv(rows) });
    const rejects = join(bench.at(name), 'rejects.csv');
    const text = await readFile(rejects, 'utf8');
    await writeFile(rejects, text.replaceAll('none', '8 (916) 123-45-67'));
    corrected.push(rejects);
  }
  const [one = '', two = ''] = corrected;
  let asked = 0;
  bench.center.behave = ({ operation }) =>
    operation === '4.1' && ++asked > 1 ? { refuse: () => 'Refused.' } : undefined;
  const slow = ['--batch-size', '1', '--concurrency', '1', '--max-failures', '0'];
  const stopped = await bench.import('stopped', [one], [...ledger, ...slow]);
  expect(stopped.code, stopped.stderr).toBe(3);
  bench.center.behave = () => undefined;
  const other = await bench.import('other', [two], ledger);
  expect(other.code, other.stderr).toBe(0);
  expect(countOutcomes(other.report())).toEqual({ created: 1 });
});

it('rejects of the second list in one folder have nothing to do with the first one, but with the second', async () => {
  const bad = (number: number) => lead(number, { Mobile: 'none' });
  const ledger = ['--ledger', bench.at('runs.db'), '--out', bench.at('reports')];
  const one = await bench.write('one.csv', csv([lead(1), bad(2)]));
  const two = await bench.write('two.csv', csv([bad(3), bad(4), bad(5)]));
  for (const file of [one, two]) await bench.import('run', [file], ledger);
  const rejects = join(bench.at('reports'), 'rejects.csv');
  const text = await readFile(rejects, 'utf8');
  await writeFile(rejects, text.replaceAll('none', '8 (916) 123-45-67'));
  let asked = 0;
  bench.center.behave = ({ operation }) =>
    operation === '4.1' && ++asked > 1 ? { refuse: () => 'Refused.' } : undefined;
  const slow = ['--batch-size', '1', '--concurrency', '1', '--max-failures', '0'];
  const broken = [...ledger.slice(0, 2), '--out', bench.at('rejects'), ...slow];
  expect((await bench.import('broken', [rejects], broken)).code).toBe(3);
  bench.center.behave = () => undefined;
  await bench.write('one.csv', csv([lead(1), lead(2)]));
  const first = await bench.import('first', [one], ledger);
  expect(first.code, first.stderr).toBe(0);
  await bench.write('two.csv', csv([lead(3), lead(4), lead(5)]));
  const second = await bench.import('second', [two], ledger);
  expect(second.code).toBe(64);
  expect(second.stderr).toMatch(/which sends rejects of this file, is not at its end/);
  expect(twice(bench.center.creations)).toEqual([]);
});

it('rejected rows send the very clients once their phones are right, whatever their cells hold', async () => {
  const comments = ['=1+1', '+cmd', '-5 %', '@sum', "'s-Gravenhage", '\tx', "''quoted", "'=x"];
  const good = comments.map((Comment, at) => lead(at + 1, { Comment }));
  const bad = comments.map((Comment, at) => lead(at + 51, { Comment, Mobile: 'none' }));
  const first = await bench.import('run', [await bench.list([...good, ...bad])]);
  expect(countOutcomes(first.report())).toEqual({ created: 8, rejected: 8 });
  const rejects = join(first.out, 'rejects.csv');
  const text = await readFile(rejects, 'utf8');
  let number = 4560;
  await writeFile(
    rejects,
    text.replaceAll('none', () => `8 (916) 123-${++number}`),
  );
  const second = await bench.import('again', [rejects], ['--ledger', first.ledger]);
  expect(second.code, second.stderr).toBe(0);
  const commentsOf = (rows: typeof good): unknown[] =>
    rows.map((row) => {
      const { fields } = bench.center.cards.get(identityOf(row))?.client ?? {};
      return (fields as Record<string, unknown>)['comment'];
    });
  expect(commentsOf(good)).not.toContain(undefined);
  expect(commentsOf(bad)).toEqual(commentsOf(good));
});
