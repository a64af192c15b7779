/**
 * Repeats tell the truth. An unchanged repeat of a finished run sends nothing and ends with the same exit code, with that
 * run's counts, its date and the place of its report. An import that was undone is imported again. After the mapping, the
 * installation's card configuration or the input was corrected, what did not end well is sent and what ended well is
 * `skipped`, with the run that created it; `--again` sends all anew. Clients that were created without a campaign are
 * only enqueued when there is one. What was left unknown is looked up before anything is sent. An installation that names
 * its ledger is known by it in every folder.
 *
 * Short: 3 repeats, about 12 s. Full (PROOF=full): 20 repeats with each code, about 30 s.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cardlineProcess } from '../../kit/cardline.js';
import {
  type Bench,
  type Imported,
  type LeadRow,
  MAPPING,
  countOutcomes,
  csv,
  identityIn,
  identityOf,
  installation,
  lead,
  leads,
  twice,
} from '../../runs/harness.js';
import { isFull } from '../harness.js';
import {
  PROMPT,
  STEADY,
  command,
  creationsOf,
  eachOnce,
  nobodyTwice,
  openNaiveBench,
  outcomesOf,
  rejected,
  said,
  sendings,
  writeLeads,
} from './harness.js';

const ROWS = 200;
const REPEATS = isFull ? 20 : 3;
/** Rows that do not end well, by their number. */
const BAD = [3, 50, 51, 199];

let bench: Bench;
beforeEach(async () => {
  bench = await openNaiveBench();
});
afterEach(() => bench.close());

/** The same command each time: file, ledger and folder stay. */
const imports = (options: readonly string[] = []): Promise<Imported> =>
  bench.import('run', [bench.at('leads.csv')], [...STEADY, ...options]);

const withBad = (): LeadRow[] =>
  leads(ROWS).map((row, index) => (BAD.includes(index + 1) ? rejected(index + 1) : row));

const center = (): string => installation(bench.center.url, '{}', PROMPT);

describe('an unchanged repeat', () => {
  it.each([
    ['0', 0, leads(ROWS), ['created']],
    ['2, since rows were rejected', 2, withBad(), ['created', 'rejected']],
  ] as const)(
    `of a run that ended with %s ends with it too, ${REPEATS} times`,
    { timeout: 300_000 },
    async (_what, code, rows, outcomes) => {
      await bench.write('leads.csv', csv(rows));
      const first = await imports();
      expect(first.code, said(first)).toBe(code);
      const counts = outcomesOf(first);
      expect(Object.keys(counts)).toEqual(outcomes);
      const sent = sendings(bench.center);
      for (let repeat = 0; repeat < REPEATS; repeat++) {
        const again = await imports();
        expect([repeat, again.code], said(again)).toEqual([repeat, code]);
        expect([repeat, sendings(bench.center) - sent]).toEqual([repeat, 0]);
        // Which run it was, when, how its rows ended, and where its report lies.
        const text = said(again);
        expect(text).toContain(first.summary().run);
        expect(text).toMatch(/\b20\d\d\b/);
        for (const count of Object.values(counts))
          expect(text).toMatch(new RegExp(`\\b${count}\\b`));
        expect(text).toContain(join(bench.at('run'), 'report.csv'));
      }
    },
  );

  it('ends with 2 too where the contact center refused', { timeout: 60_000 }, async () => {
    await writeLeads(bench, ROWS);
    bench.center.behave = ({ operation }) =>
      operation === '4.1' ? { refuse: refuseBad('Client is in blacklist') } : undefined;
    const first = await imports();
    expect(first.code, said(first)).toBe(2);
    const sent = sendings(bench.center);
    const again = await imports();
    expect(again.code, said(again)).toBe(2);
    expect(sendings(bench.center)).toBe(sent);
  });
});

/** Refuses the clients of the bad rows with this text. */
const refuseBad =
  (text: string) =>
  (client: Readonly<Record<string, unknown>>): string | undefined => {
    const { offerId } = client['fields'] as { offerId: number };
    return BAD.includes(offerId - 100_000) ? text : undefined;
  };

it('an import that was undone is imported again', { timeout: 60_000 }, async () => {
  await writeLeads(bench, ROWS);
  const first = await imports();
  const undone = await command(bench, [
    ...['undo', first.summary().run, '--yes', '--ledger', first.ledger, '--out', bench.at('undo')],
    ...['--concurrency', '4'],
  ]);
  expect(undone.code, said(undone)).toBe(0);
  expect(bench.center.cards.size).toBe(0);
  const again = await imports();
  expect(again.code, said(again)).toBe(0);
  expect(said(again)).not.toMatch(/imported already/i);
  expect(bench.center.cards.size).toBe(ROWS);
  expect(countOutcomes(again.report())).toEqual({ created: ROWS });
  // Now it is there, and is not sent a third time.
  const sent = sendings(bench.center);
  expect((await imports()).code).toBe(0);
  expect(sendings(bench.center)).toBe(sent);
});

/** What is corrected, and how rows come to an end that is not good before it is. */
interface Correction {
  readonly before: () => Promise<void>;
  readonly correct: () => Promise<unknown>;
}

const TIERED = MAPPING.replace(', default: SIMPLE', '');

const CORRECTIONS: Readonly<Record<string, Correction>> = {
  'the input file': {
    before: async () => {
      await bench.write('leads.csv', csv(withBad()));
    },
    correct: () => writeLeads(bench, ROWS),
  },
  'the mapping': {
    before: async () => {
      const rows = leads(ROWS).map((row, index) =>
        BAD.includes(index + 1) ? { ...row, Tier: 'Silver' } : { ...row, Tier: 'Gold' },
      );
      await bench.write('leads.csv', csv(rows));
      await bench.write('mapping.yaml', TIERED);
    },
    correct: () =>
      bench.write('mapping.yaml', TIERED.replace('Gold: VIP', 'Gold: VIP, Silver: SIMPLE')),
  },
  "the installation's card configuration": {
    before: async () => {
      const rows = leads(ROWS).map((row, index) =>
        BAD.includes(index + 1) ? { ...row, Segment: 'hot' } : row,
      );
      await bench.write('leads.csv', csv(rows));
    },
    correct: () =>
      bench.write('center.yaml', center().replace('[cold, warm]', '[cold, warm, hot]')),
  },
};

describe('an import after a correction', () => {
  it.each(Object.entries(CORRECTIONS))(
    'of %s sends what did not end well before',
    { timeout: 60_000 },
    async (_what, { before, correct }) => {
      await before();
      const first = await imports();
      expect(first.code, said(first)).toBe(2);
      expect(outcomesOf(first)).toEqual({ created: ROWS - BAD.length, rejected: BAD.length });
      const { run } = first.summary();
      await correct();
      const second = await imports();
      await eachOnce(bench.center, ROWS);
      expect(second.code, said(second)).toBe(0);
      expect(second.summary().run).not.toBe(run);
      const report = second.report();
      expect(countOutcomes(report)).toEqual({ created: BAD.length, skipped: ROWS - BAD.length });
      for (const line of report.filter(({ outcome }) => outcome === 'skipped'))
        expect(Object.values(line).join(' ')).toMatch(
          new RegExp(`created by run ${run} on \\S*\\d`),
        );
      const created = report.filter(({ outcome }) => outcome === 'created').map(identityIn);
      expect(created).toEqual(BAD.map((number) => identityOf(lead(number))));

      const anew = await imports(['--again']);
      expect(anew.code, said(anew)).toBe(0);
      expect(twice(bench.center.creations)).toHaveLength(ROWS);
    },
  );

  it('sends what the contact center had refused', { timeout: 60_000 }, async () => {
    await writeLeads(bench, ROWS);
    bench.center.behave = ({ operation }) =>
      operation === '4.1' ? { refuse: refuseBad('Client is in blacklist') } : undefined;
    expect((await imports()).code).toBe(2);
    bench.center.behave = () => undefined;
    await bench.write(
      'mapping.yaml',
      `# Corrected.\n${MAPPING.replace('default: SIMPLE', 'default: VIP')}`,
    );
    const second = await imports();
    expect(second.code, said(second)).toBe(0);
    expect(outcomesOf(second)).toEqual({ created: BAD.length, skipped: ROWS - BAD.length });
    await eachOnce(bench.center, ROWS);
  });
});

it(
  'clients that were created without a campaign are only enqueued with one',
  { timeout: 60_000 },
  async () => {
    await writeLeads(bench, ROWS);
    expect((await imports()).code).toBe(0);
    const asked = creationsOf(bench.center);
    const second = await imports(['--campaign', '42']);
    expect(second.code, said(second)).toBe(0);
    expect(creationsOf(bench.center)).toBe(asked);
    expect(outcomesOf(second)).toEqual({ enqueued: ROWS });
    expect([...bench.center.cards.values()].map(({ campaigns }) => [...campaigns])).toEqual(
      Array.from({ length: ROWS }, () => [42]),
    );
    await nobodyTwice(bench.center);
    expect(twice(bench.center.enqueuings)).toEqual([]);
  },
);

const NOT_ALLOWED = { status: 400, body: '{"errorMessage":"Reading cards is not allowed."}' };

it(
  'a row that an earlier run left unknown is looked up, and not sent blindly',
  { timeout: 120_000 },
  async () => {
    await bench.write(
      'center.yaml',
      installation(bench.center.url, '{}', '{ timeoutMs: 2000, serverDeadlineMs: 500 }'),
    );
    await writeLeads(bench, ROWS);
    // One creation is carried out and its answer lost, and nobody can be looked up.
    bench.center.behave = ({ operation, number }) => {
      if (operation === '4.8') return { answer: NOT_ALLOWED };
      return operation === '4.1' && number === 2 ? { drop: true } : undefined;
    };
    const first = await imports();
    expect(first.code, said(first)).toBe(2);
    const { unknown = 0, ...others } = outcomesOf(first);
    expect(unknown).toBeGreaterThan(0);
    expect(others).toEqual({ created: ROWS - unknown });

    bench.center.behave = () => undefined;
    await bench.write('mapping.yaml', MAPPING.replace('default: SIMPLE', 'default: VIP'));
    const second = await imports();
    await eachOnce(bench.center, ROWS);
    expect(second.code, said(second)).toBe(0);
    expect(second.summary().rows).toBe(ROWS);
  },
);

it(
  'an installation names its ledger, and is known by it in every folder',
  { timeout: 60_000 },
  async () => {
    for (const folder of ['config', 'evening', 'morning']) mkdirSync(bench.at(folder));
    const own = await bench.write(
      'config/center.yaml',
      `${center()}ledger: ../state/cardline.db\n`,
    );
    const file = await writeLeads(bench, ROWS);
    const run = (folder: string, more: readonly string[] = []) =>
      cardlineProcess(
        ['import', file, '-m', bench.at('mapping.yaml'), '-i', own, ...STEADY, ...more],
        {
          cwd: bench.at(folder),
          env: bench.environment,
        },
      );
    const first = await run('evening', ['--json']);
    expect(first.code, said(first)).toBe(0);
    expect(first.stdout).toContain(bench.at('state/cardline.db'));
    const sent = sendings(bench.center);
    const second = await run('morning');
    expect(second.code, said(second)).toBe(0);
    expect(sendings(bench.center)).toBe(sent);
    expect(said(second)).toContain(bench.at('state/cardline.db'));
    // What the command line says wins.
    await run('morning', ['--ledger', 'own.db']);
    expect(sendings(bench.center)).toBeGreaterThan(sent);
  },
);
