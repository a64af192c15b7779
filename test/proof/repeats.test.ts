/**
 * Repeats tell the truth. An unchanged repeat of a finished run sends nothing and ends with the same exit code, with that
 * run's counts, its date and the place of its report. An import that was undone is imported again. After the mapping, the installation's card configuration or the
 * input was corrected, what did not end well is sent and what ended well is `skipped`, with the run that created it;
 * `--again` sends all anew. Clients that were created without a campaign are only enqueued when there is one. What was left
 * unknown is looked up before anything is sent. An installation that names its ledger is known by it in every folder.
 *
 * Short: 3 repeats, about 12 s. Full (PROOF=full): 20 repeats with each code, and a file of 600 MiB, about a minute.
 */
import { closeSync, mkdirSync, openSync, statSync, utimesSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  type Imported,
  COLUMNS,
  MAPPING,
  countOutcomes,
  identityIn,
  identityOf,
  installation,
  lead,
  leads,
  twice,
  useBench,
} from '../kit/bench.js';
import { cardline } from '../kit/cardline.js';
import type { Json } from '../kit/contact-center.js';
import { words } from '../kit/words.js';
import {
  NAIVE,
  PROMPT,
  STEADY,
  creationsOf,
  eachOnce,
  isFull,
  nobodyTwice,
  outcomesOf,
  rejected,
  said,
  sendings,
} from './harness.js';

const ROWS = 200;
const REPEATS = isFull ? 20 : 3;
/** Rows that do not end well, by their number. */
const BAD = [3, 50, 51, 199];

const bench = useBench(NAIVE);

/** The same command each time: file, ledger and folder stay. */
const imports = (...options: string[]): Promise<Imported> =>
  bench.import('run', [bench.at('leads.csv')], [...STEADY, ...options]);

const ended = async (code: number, ...options: string[]): Promise<Imported> => {
  const run = await imports(...options);
  expect(run.code, said(run)).toBe(code);
  return run;
};

const withBad = (change: (number: number) => ReturnType<typeof lead>) =>
  leads(ROWS).map((row, index) => (BAD.includes(index + 1) ? change(index + 1) : row));
const center = (transport = PROMPT): string => installation(bench.center.url, '{}', transport);

/** The contact center refuses the clients of the bad rows. */
const refuseBad = (): void => {
  const refuse = (client: Json): string | undefined => {
    const { offerId } = client['fields'] as { offerId: number };
    return BAD.includes(offerId - 100_000) ? 'Client is in blacklist' : undefined;
  };
  bench.center.behave = ({ operation }) => (operation === '4.1' ? { refuse } : undefined);
};

it.each([
  ['0', 0, () => bench.list(ROWS)],
  ['2, since rows were rejected', 2, () => bench.list(withBad(rejected))],
  [
    '2, since the contact center refused',
    2,
    () => {
      refuseBad();
      return bench.list(ROWS);
    },
  ],
] as const)(
  `an unchanged repeat of a run that ended with %s ends with it too, ${REPEATS} times`,
  { timeout: 300_000 },
  async (_what, code, prepare) => {
    await prepare();
    const first = await ended(code);
    const counts = Object.values(outcomesOf(first));
    expect(counts).toEqual(code === 0 ? [ROWS] : [ROWS - BAD.length, BAD.length]);
    const sent = sendings(bench.center);
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      const text = said(await ended(code));
      expect([repeat, sendings(bench.center) - sent]).toEqual([repeat, 0]);
      // Which run it was, when, how its rows ended, and where its report lies.
      expect(text).toContain(first.summary().run);
      expect(text).toMatch(/\b20\d\d\b/);
      for (const count of counts) expect(text).toMatch(new RegExp(`\\b${count}\\b`));
      expect(text).toContain(join(bench.at('run'), 'report.csv'));
    }
  },
);

const TIERED = MAPPING.replace(', default: SIMPLE', '');

/** What is corrected: how rows do not end well before, what they are called then, and how it is done. */
const CORRECTIONS: Readonly<
  Record<
    string,
    {
      readonly before: () => Promise<unknown>;
      readonly bad?: 'failed';
      readonly correct: () => Promise<unknown>;
    }
  >
> = {
  'the input file': {
    before: () => bench.list(withBad(rejected)),
    correct: () => bench.list(ROWS),
  },
  'the mapping': {
    before: async () => {
      const gold = withBad((number) => lead(number, { Tier: 'Silver' }));
      await bench.list(gold.map((row) => ({ ...row, Tier: row.Tier || 'Gold' })));
      await bench.write('mapping.yaml', TIERED);
    },
    correct: () =>
      bench.write('mapping.yaml', TIERED.replace('Gold: VIP', 'Gold: VIP, Silver: SIMPLE')),
  },
  "the installation's card configuration": {
    before: () => bench.list(withBad((number) => lead(number, { Segment: 'hot' }))),
    correct: () =>
      bench.write('center.yaml', center().replace('[cold, warm]', '[cold, warm, hot]')),
  },
  'what the contact center refuses': {
    before: () => {
      refuseBad();
      return bench.list(ROWS);
    },
    bad: 'failed',
    correct: () => {
      bench.center.behave = () => undefined;
      return bench.write('mapping.yaml', MAPPING.replace('default: SIMPLE', 'default: VIP'));
    },
  },
};

it.each(Object.entries(CORRECTIONS))(
  'after a correction of %s, an import sends what did not end well before',
  { timeout: 60_000 },
  async (_what, { before, bad = 'rejected', correct }) => {
    await before();
    const first = await ended(2);
    expect(outcomesOf(first)).toEqual({ created: ROWS - BAD.length, [bad]: BAD.length });
    const { run } = first.summary();
    await correct();
    const second = await ended(0);
    await eachOnce(bench.center, ROWS);
    expect(second.summary().run).not.toBe(run);
    const report = second.report();
    expect(countOutcomes(report)).toEqual({ created: BAD.length, skipped: ROWS - BAD.length });
    for (const line of report.filter(({ outcome }) => outcome === 'skipped'))
      expect(Object.values(line).join(' ')).toMatch(new RegExp(`created by run ${run} on \\S*\\d`));
    const created = report.filter(({ outcome }) => outcome === 'created').map(identityIn);
    expect(created).toEqual(BAD.map((number) => identityOf(lead(number))));

    await ended(0, '--again');
    expect(twice(bench.center.creations)).toHaveLength(ROWS);
  },
);

it('an import that was undone is imported again', async () => {
  await bench.list(ROWS);
  const first = await ended(0);
  const places = ['--ledger', first.ledger, '--out', bench.at('undo')];
  const undone = await bench.run(
    ...words`undo ${first.summary().run} --yes --concurrency 4 ${places}`,
  );
  expect(undone.code, said(undone)).toBe(0);
  expect(bench.center.cards.size).toBe(0);
  const again = await ended(0);
  expect(said(again)).not.toMatch(/imported already/i);
  expect(bench.center.cards.size).toBe(ROWS);
  expect(countOutcomes(again.report())).toEqual({ created: ROWS });
  // Now it is there, and is not sent a third time.
  const sent = sendings(bench.center);
  await ended(0);
  expect(sendings(bench.center)).toBe(sent);
});

it('clients that were created without a campaign are only enqueued with one', async () => {
  await bench.list(ROWS);
  await ended(0);
  const asked = creationsOf(bench.center);
  expect(outcomesOf(await ended(0, '--campaign', '42'))).toEqual({ enqueued: ROWS });
  expect(creationsOf(bench.center)).toBe(asked);
  const campaigns = [...bench.center.cards.values()].map((card) => [...card.campaigns].join());
  expect(campaigns).toEqual(Array<string>(ROWS).fill('42'));
  await nobodyTwice(bench.center);
  expect(twice(bench.center.enqueuings)).toEqual([]);
});

it('a row that an earlier run left unknown is looked up, and not sent blindly', async () => {
  await bench.write('center.yaml', center('{ timeoutMs: 2000, serverDeadlineMs: 500 }'));
  await bench.list(ROWS);
  // One creation is carried out and its answer lost, and nobody can be looked up.
  const answer = { status: 400, body: '{"errorMessage":"Reading cards is not allowed."}' };
  bench.center.behave = ({ operation, number }) => {
    if (operation === '4.8') return { answer };
    return operation === '4.1' && number === 2 ? { drop: true } : undefined;
  };
  const { unknown = 0, ...others } = outcomesOf(await ended(2));
  expect(unknown).toBeGreaterThan(0);
  expect(others).toEqual({ created: ROWS - unknown });

  bench.center.behave = () => undefined;
  await bench.write('mapping.yaml', MAPPING.replace('default: SIMPLE', 'default: VIP'));
  const second = await ended(0);
  await eachOnce(bench.center, ROWS);
  expect(second.summary().rows).toBe(ROWS);
});

it('an installation names its ledger, and is known by it in every folder', async () => {
  for (const folder of ['config', 'evening', 'morning']) mkdirSync(bench.at(folder));
  const own = await bench.write('config/center.yaml', `${center()}ledger: ../state/cardline.db\n`);
  const file = await bench.list(ROWS);
  const run = async (folder: string, ...more: string[]): Promise<string> => {
    const args = words`import ${file} -m ${bench.at('mapping.yaml')} -i ${own} ${STEADY} ${more}`;
    const done = await cardline(args, { cwd: bench.at(folder), env: bench.environment });
    expect(done.code, said(done)).toBe(0);
    return said(done);
  };
  expect(await run('evening', '--json')).toContain(bench.at('state/cardline.db'));
  const sent = sendings(bench.center);
  expect(await run('morning')).toContain(bench.at('state/cardline.db'));
  expect(sendings(bench.center)).toBe(sent);
  // What the command line says wins.
  await run('morning', '--ledger', 'own.db');
  expect(sendings(bench.center)).toBeGreaterThan(sent);
});

/** Of many and large samples of a file, as a digest may be made of, none sees this place. */
function unseenIn(places: readonly number[], size: number): number {
  const step = (size - 2 ** 20) / 255;
  return places.findIndex((place) => place > size / 3 && place % step > 1.5 * 2 ** 20);
}

// It needs as much room in the folder for temporary files.
it.runIf(isFull)('a change in the depth of 600 MiB is seen', { timeout: 600_000 }, async () => {
  const path = bench.at('leads.csv');
  const notes = 'x'.repeat(2 ** 19);
  const places: number[] = [];
  const file = openSync(path, 'w');
  let size = writeSync(file, `${COLUMNS.join(',')},Notes\n`);
  while (size < 600 * 2 ** 20) {
    places.push(size + 1);
    const row = lead(places.length, { Comment: '', Last: 'Testoff' });
    const cells = COLUMNS.map((name) => `"${row[name]}"`).join(',');
    size += writeSync(file, `${cells},${notes}\n`);
  }
  await ended(0);
  // Identifiers begin with 1: one of 100,000 becomes one of 700,000. Size and time stay.
  const { atime, mtime } = statSync(path);
  const at = unseenIn(places, size);
  writeSync(file, '7', places[at]);
  closeSync(file);
  utimesSync(path, atime, mtime);
  const second = await ended(0);
  expect(said(second)).not.toMatch(/imported already/i);
  const rows = places.length;
  expect(countOutcomes(second.report())).toEqual({ created: 1, skipped: rows - 1 });
  const changed = lead(at + 1, { Offer: String(700_000 + at + 1) });
  expect(bench.center.cards.has(identityOf(changed))).toBe(true);
  expect(said(await ended(0))).toMatch(/already/i);
  await nobodyTwice(bench.center);
});
