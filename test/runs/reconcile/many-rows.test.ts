import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { announceLookUps } from '../../../src/run/reconcile.js';
import type { Installation } from '../../../src/installation/installation.js';
import { LIBRARY, built } from '../../kit/built.js';
import type * as Library from '../../../src/index.js';
import { countOutcomes, csv, lead, leads, useBench } from '../../kit/bench.js';

const { reconcileFiles } = await built<typeof Library>(LIBRARY);

/** More than are compared without a word. */
const ROWS = 1100;
const CAMPAIGN = ['--campaign', '42'];
const WRONG = 'lukewarm';
const wrong = [17, 900];
const list = (): string =>
  csv([
    ...leads(ROWS).map((row, index) => (wrong.includes(index) ? { ...row, Segment: WRONG } : row)),
  ]);

const bench = useBench();

const ledger = (): string[] => ['--ledger', bench.at('run.db')];
const imported = (name: string, file: string) =>
  bench.import(name, [file], [...CAMPAIGN, ...ledger()]);
const lookUps = (): number =>
  bench.center.requests.filter(({ operation }) => ['4.8', '4.12'].includes(operation)).length;

/** Corrects one of the rejected rows of a run, and imports all of them. */
async function importCorrected(from: string, name: string) {
  const rejects = join(bench.at(from), 'rejects.csv');
  const text = await readFile(rejects, 'utf8');
  await writeFile(rejects, text.replace(WRONG, 'cold'));
  return imported(name, rejects);
}

describe('what is said before many rows are compared', () => {
  const said = (
    rows: number,
    more: { isEstimate?: boolean; perRow?: 1 | 2; own?: number; shared?: number } = {},
  ): string[] => {
    const { isEstimate = false, perRow = 1, own, shared } = more;
    const lines: string[] = [];
    announceLookUps(
      { rows, isEstimate, perRow },
      {
        ...(own === undefined ? {} : { requestsPerSecond: own }),
        onWarning: (line) => lines.push(line),
      },
      { limits: { requestsPerSecond: shared } } as Installation,
    );
    return lines;
  };

  it.each([
    [999, {}, undefined],
    [
      1000,
      {},
      '1,000 rows are looked up one by one, with up to 1,000 requests: 10 s at 100 requests a second, 1 s at 1,000 requests a second.',
    ],
    [
      200_000,
      { perRow: 2, isEstimate: true },
      'About 200,000 rows are looked up one by one, with up to 400,000 requests: 67 min at 100 requests a second, 7 min at 1,000 requests a second.',
    ],
    [
      200_000,
      { own: 50, shared: 800 },
      '200,000 rows are looked up one by one, with up to 200,000 requests: 67 min at 50 requests a second.',
    ],
    [
      200_000,
      { own: 800, shared: 50 },
      '200,000 rows are looked up one by one, with up to 200,000 requests: 67 min at 50 requests a second.',
    ],
  ] as const)('%d rows, %j', (rows, more, sentence) => {
    expect(said(rows, more)).toEqual(sentence === undefined ? [] : [sentence]);
  });
});

describe('a comparison of many rows', () => {
  it('says how far it is, and takes what was sent from the rejects of its files for good, unless that was taken back', async () => {
    const file = await bench.write('leads.csv', list());
    const warnings: [string, number][] = [];
    const progress: Library.Progress[] = [];
    const compared = async (name: string) => {
      const before = lookUps();
      const result = await reconcileFiles({
        ...{ files: [file], mapping: bench.at('mapping.yaml'), campaign: { id: 42 } },
        ...{ installation: bench.at('center.yaml'), env: bench.environment },
        ...{ ledger: bench.at('run.db'), out: bench.at(name) },
        onWarning: (line) => warnings.push([line, lookUps() - before]),
        onProgress: (state) => progress.push(state),
      });
      const ended = { code: result.exitCode, stdout: '', stderr: '' };
      return bench.imported(name, ended);
    };
    await imported('run', file);
    const once = await importCorrected('run', 'once');
    expect(countOutcomes(once.report())).toEqual({ enqueued: 1, rejected: 1 });
    const half = await compared('half');
    expect([half.code, half.summary().outcomes]).toEqual([
      2,
      { ...half.summary().outcomes, match: ROWS - 2, skipped: 1, rejected: 1 },
    ]);
    expect(lookUps()).toBe(2 * (ROWS - 2));
    const announced = warnings.filter(([line]) => line.includes('looked up one by one'));
    expect(announced).toEqual([[expect.stringMatching(/^(?:About )?1,\d{3} rows .* 2,\d{3} /), 0]]);
    expect(progress.some(({ share, rows }) => share > 0 && share < 1 && rows > 0)).toBe(true);
    expect(progress.at(-1)).toMatchObject({ share: 1, rows: ROWS });
    const [later = {}] = half.report().filter(({ outcome }) => outcome === 'skipped');
    expect(later['offerId']).toBe(lead(wrong[0]! + 1).Offer);
    expect(JSON.stringify(later)).toContain(once.summary().run);

    // The rejects of these rejects are rows of the same file.
    const twice = await importCorrected('once', 'twice');
    const whole = await compared('whole');
    expect([whole.code, whole.summary().outcomes]).toEqual([
      0,
      { ...whole.summary().outcomes, match: ROWS - 2, skipped: 2, rejected: 0 },
    ]);

    const undo = ['undo', twice.summary().run, '--yes', ...ledger(), '--out', bench.at('undone')];
    const undone = await bench.run(...undo);
    expect(undone.code, undone.stderr).toBe(0);
    const after = await compared('after');
    expect(after.summary().outcomes).toMatchObject({ skipped: 1, rejected: 1 });
  });
});
