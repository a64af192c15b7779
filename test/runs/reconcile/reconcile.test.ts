import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardline } from '../../kit/cardline.js';
import { type Sandbox, startSandbox } from '../../kit/sandbox.js';
import { testFolder } from '../../kit/folder.js';
import { tablesIn } from '../../kit/tables.js';

const CASES = tablesIn(import.meta.dirname, 'reconcile.yaml') as {
  readonly center: string;
  readonly mapping: string;
};

/** Rows of the spreadsheet; with `PROOF=full` as many as a night's upload. */
const ROWS = process.env['PROOF'] === 'full' ? 20_000 : 200;
/** Behind the importer's back: one in so many is changed, deleted, taken out of the campaign. */
const CHANGED = ROWS / 20;
const DELETED = ROWS / 40;
const REMOVED = (ROWS * 3) / 200;

const folder = testFolder();
let sandbox: Sandbox;
const at = (name: string): string => join(folder, name);
const run = (...args: string[]) => cardline([...args, '-q'], { cwd: folder });
const common = ['-m', 'leads.yaml', '-i', 'center.yaml'];
const compared = (...more: string[]) =>
  run('reconcile', 'leads.csv', ...common, '--campaign', '1', '--json', ...more);

async function report(out: string): Promise<Record<string, string>[]> {
  const records = parse(await readFile(at(join(out, 'report.csv'))), { columns: true });
  return records as Record<string, string>[];
}

const verdicts = async (out: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await report(out)).map(({ offerId = '', verdict = '' }) => [offerId, verdict]),
  );

beforeAll(async () => {
  const { center, mapping } = CASES;
  await writeFile(at('sandbox.yaml'), center);
  sandbox = await startSandbox(at('sandbox.yaml'), at('center.db'));
  await writeFile(at('center.yaml'), center.replace('http://127.0.0.1:1', sandbox.url));
  await writeFile(at('leads.yaml'), mapping);
  const lines = Array.from({ length: ROWS }, (_, i) => {
    const name = i % 97 === 1 ? '' : `Имя ${i + 1}`;
    return `${i + 1};${name};"${i % 7},50";${i % 2 ? 'Cold' : 'WARM'};+7999${String(i).padStart(7, '0')}`;
  });
  await writeFile(at('leads.csv'), ['Offer;Name;Budget;Segment;Phone', ...lines, ''].join('\n'));
}, 60_000);

afterAll(async () => {
  await sandbox.close();
});

describe('a comparison', { timeout: 600_000 }, () => {
  let expected: Record<string, string>;

  it('finds everything as it was imported', async () => {
    const imported = await run('import', 'leads.csv', ...common, '--out', 'imported', '--json');
    expect(imported.code).toBe(2);
    const { code } = await compared('--out', 'first');
    // Rows without a name are rejected by both.
    expect(code).toBe(2);
    expected = Object.fromEntries(
      (await report('imported')).map(({ offerId = '', outcome = '' }) => [
        offerId,
        outcome === 'enqueued' ? 'match' : outcome,
      ]),
    );
    expect(await verdicts('first')).toEqual(expected);
  });

  it('tells exactly what was changed behind its back', async () => {
    const good = Object.keys(expected).filter((id) => expected[id] === 'match');
    const [changed, deleted, removed] = [
      good.slice(0, CHANGED),
      good.slice(CHANGED, CHANGED + DELETED),
      good.slice(-REMOVED),
    ];
    const books = new Database(at('center.db'));
    const identity = (id: string): string => JSON.stringify([id]);
    for (const id of changed)
      books
        .prepare(
          `UPDATE clients SET fields = json_set(fields, '$.fullName', 'x') WHERE identity = ?`,
        )
        .run(identity(id));
    for (const id of deleted)
      books.prepare('UPDATE clients SET deleted = 1 WHERE identity = ?').run(identity(id));
    for (const id of removed)
      books
        .prepare(
          'DELETE FROM applications WHERE client_id = (SELECT id FROM clients WHERE identity = ?)',
        )
        .run(identity(id));
    books.close();
    for (const id of changed) expected[id] = 'different';
    for (const id of deleted) expected[id] = 'missing';
    for (const id of removed) expected[id] = 'not_in_campaign';

    const { code, stdout } = await compared('--out', 'second', '--fix', 'fixes');
    expect(code).toBe(2);
    expect(await verdicts('second')).toEqual(expected);
    expect(JSON.parse(stdout)).toMatchObject({
      outcomes: {
        different: changed.length,
        missing: deleted.length,
        not_in_campaign: removed.length,
      },
    });
    const [first] = (await report('second')).filter(({ verdict }) => verdict === 'different');
    expect(first).toMatchObject({
      applicationStatus: 'NONE',
      callsMade: '0',
      callback: 'false',
      differences: 'fullName: "Имя 1" in the spreadsheet, "x" on the card',
    });
  });

  it('sees only the fields that are asked for', async () => {
    await compared('--out', 'third', '--fields', 'budget,segment');
    expect(Object.values(await verdicts('third'))).not.toContain('different');
    const { code, stderr } = await compared('--fields', 'budgte');
    expect([code, stderr]).toEqual([64, expect.stringContaining('budgte')]);
  });

  it('checks what the report of the import claims', async () => {
    const runs = JSON.parse((await cardline(['runs', '--json'], { cwd: folder })).stdout) as {
      run: string;
      mode: string;
    }[];
    const imported = runs.find(({ mode }) => mode === 'create')?.run ?? '';
    const { code } = await run('reconcile', '--run', imported, '--out', 'claims');
    expect(code).toBe(2);
    const found = await verdicts('claims');
    for (const [id, verdict] of Object.entries(expected)) {
      // A name is nothing that the report of a creation claims.
      const claimed = { different: 'match', rejected: 'skipped' }[verdict] ?? verdict;
      expect([id, found[id]]).toEqual([id, claimed]);
    }
  });

  it('mends it: after the fixes are imported, all rows match', async () => {
    for (const mode of ['create', 'update', 'enqueue']) {
      const fix = ['import', `fixes/${mode}.csv`, '-m', `fixes/${mode}.yaml`, '-i', 'center.yaml'];
      const { code, stderr } = await run(...fix);
      // A client that is restored has its call application back: to add it again is refused.
      expect([mode, code, stderr]).toEqual([mode, mode === 'create' ? 2 : 0, expect.any(String)]);
    }
    await compared('--out', 'last', '--fix', 'nothing');
    for (const [id, verdict] of Object.entries(await verdicts('last')))
      expect([id, verdict]).toEqual([id, expected[id] === 'rejected' ? 'rejected' : 'match']);
    expect(existsSync(at('nothing'))).toBe(false);
  });

  it('changes nothing', async () => {
    const books = sandbox.books(['offerId']);
    await compared('--out', 'again');
    expect(sandbox.books(['offerId'])).toEqual(books);
  });
});

describe('a comparison that cannot be made', () => {
  it.each([
    [['reconcile'], /files with --mapping and --installation, or a run with --run/],
    [['reconcile', 'leads.csv', '--run', 'x'], /not both/],
    [['reconcile', '--run', 'nothing'], /no run nothing/],
    [['reconcile', 'leads.csv', ...common, '--mode', 'delete'], /does not say what a card/],
  ])('%j', async (args, words) => {
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([64, expect.stringMatching(words)]);
  });
});
