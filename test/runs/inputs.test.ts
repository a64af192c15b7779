import { randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { countOutcomes, csv, inOrder, installation, lead, leads, useBench } from '../kit/bench.js';
import { cardline } from '../kit/cardline.js';
import { zip } from '../kit/zip.js';
import { parts } from '../reading/xlsx/workbook.js';

const bench = useBench({ after: inOrder });

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('inputs', () => {
  it('takes windows-1251 with semicolons, and gives rejects that are read without a guess', async () => {
    const rows = [lead(1, { First: 'Федор' }), lead(2, { First: 'Анна', Mobile: 'нет' })];
    const file = await bench.write('1251.csv', iconv.encode(csv(rows, ';'), 'windows-1251'));
    const run = await bench.import('cyrillic', [file]);
    expect(run.stderr).toContain('windows-1251');
    const [card] = [...bench.center.cards.values()];
    expect(card?.client['fields']).toMatchObject({ fullName: 'Федор Testoff, "the" Elder' });
    const again = await bench.import('again', [bench.at('cyrillic/rejects.csv')]);
    expect(again.stderr, 'too few letters to guess the encoding by').toContain(
      'utf-8 with byte order mark',
    );
    expect(countOutcomes(again.report())).toEqual({ rejected: 1 });
  });

  it('refuses a file that an earlier run read in another encoding, where nobody can be asked', async () => {
    const NAMES = ['Иван', 'Ольга', 'Дмитрий', 'Наталья', 'Светлана', 'Алексей', 'Екатерина'];
    const encoded = (name: string, first: number) => {
      const rows = NAMES.map((First, at) => lead(first + at, { First, Last: 'Сидоров' }));
      return bench.write('leads.csv', iconv.encode(csv(rows), name));
    };
    const ledger = ['--ledger', bench.at('run.db')];
    const first = await bench.import('run', [await encoded('windows-1251', 1)]);
    expect(first.code, first.stderr).toBe(0);
    const file = await encoded('koi8-r', 100);
    const refused = await bench.import('refused', [file], ledger);
    expect(refused.code).toBe(64);
    expect(refused.stderr).toMatch(/the text is koi8-r now, and run \S+ .*windows-1251/s);
    expect(bench.center.creations.size).toBe(NAMES.length);
    const named = await bench.import('named', [file], [...ledger, '--encoding', 'koi8-r']);
    expect(named.code, named.stderr).toBe(0);
    expect(bench.center.creations.size).toBe(2 * NAMES.length);
    // UTF-8 is known by its form, and not compared.
    const other = await bench.import('unicode', [await encoded('utf8', 200)], ledger);
    expect(other.code, other.stderr).toBe(0);
  });

  it.each([
    ['a blank behind each delimiter', 'Offer, Name, Mobile\n1, Ann, 79161234561\n2, Bob, none\n'],
    [
      'apostrophes for quotes',
      "Offer,Name,Mobile\n'1','Ann, Lee','79161234561'\n'2','Bob, ''B'' Lee','none'\n",
    ],
  ])('takes %s, and the rejects have the cells of the run', async (what, text) => {
    const fields = 'offerId: Offer, offerDomain: { value: shop.example }, fullName: Name';
    const client = `clientRoleId: { value: 1 }, timeZone: { value: UTC }, fields: { ${fields} }`;
    const mapping = `client: { ${client}, phones: [{ column: Mobile, type: MOB }] }\n`;
    await bench.write('mapping.yaml', mapping);
    const run = await bench.import('run', [await bench.write('leads.csv', text)]);
    expect(run.summary(), run.stderr).toMatchObject({ outcomes: { created: 1, rejected: 1 } });
    const Name = what.startsWith('a blank') ? 'Bob' : "Bob, 'B' Lee";
    expect(run.rejects()).toMatchObject([{ Offer: '2', Name, Mobile: 'none' }]);
  });
});

describe('a file without rows', () => {
  const run = (command: string, file: string, ...more: string[]) => {
    const files = [file, '-m', bench.at('mapping.yaml'), '-i', bench.at('center.yaml')];
    const places = command === 'check' ? [] : ['--ledger', bench.at(`${command}.db`)];
    return bench.run(command, ...files, ...places, '--out', bench.at(command), ...more);
  };
  const commands = ['import', 'check', 'reconcile'] as const;

  it.each([
    ['a header alone', ''],
    ['a header and blank lines', '\r\n\r\n'],
  ])('%s is told, and is an error only where rows are expected', async (_what, more) => {
    const file = await bench.write('empty.csv', csv([]) + more);
    for (const command of commands)
      for (const [options, code] of [[[], 0] as const, [['--expect-rows'], 2] as const]) {
        const told = await run(command, file, ...options);
        expect([command, told.code]).toEqual([command, code]);
        expect(told.stderr).toContain('has a header and no data rows');
      }
    const told = bench.imported('import', { code: 0, stdout: '', stderr: '' });
    expect(told.report()).toEqual([]);
    expect(told.summary()).toMatchObject({ rows: 0, requests: 0 });
    expect(statSync(bench.at('import/report.csv')).size).toBeGreaterThan(0);
    expect(bench.center.requests).toEqual([]);
  });

  it('is none that has some', async () => {
    const file = await bench.list(3);
    for (const command of commands) {
      const { code, stderr } = await run(command, file, '--expect-rows');
      expect([command, code, stderr]).toEqual([command, 0, expect.not.stringMatching(/no data/)]);
    }
  });

  it('may be meant by an unusual size, within one source alone', async () => {
    let from = 0;
    const importing = async (name: string, rows: number): Promise<string> =>
      (await run('import', await bench.list(leads((from += rows)).slice(-rows), name))).stderr;
    await importing('acme-2026-11-01.csv', 400);
    expect(await importing('other-2026-11-01.csv', 20)).not.toMatch(/is the file whole/);
    expect(await importing('acme-2026-11-02.csv', 100)).toMatch(
      /100 rows, where the last file of the same source had 400: is the file whole\?/,
    );
    // A file without rows says nothing of how many there are.
    await run('import', await bench.write('acme-2026-11-03.csv', csv(leads(1)).split('\r\n')[0]!));
    expect(await importing('acme-2026-11-04.csv', 120)).not.toMatch(/is the file whole/);
  });
});

describe('what is broken', () => {
  /** Good rows, each with something that does not pack: more than what is read ahead. */
  const cells = csv(Array.from({ length: 1500 }, (_, n) => lead(n + 1, { Comment: '' })))
    .trimEnd()
    .split('\r\n')
    .map((line) => line.slice(1, -1).split('","'))
    .map((all, n) => [...all, n === 0 ? 'Notes' : randomBytes(500).toString('hex')]);
  const asCsv = (rows: readonly string[][]): string =>
    rows.map((row) => `"${row.join('","')}"`).join('\n');
  const cell = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const asSheet = (rows: readonly string[][]): string =>
    rows.map((row) => `<row>${row.map(cell).join('')}</row>`).join('');

  it.each<[what: string, words: string | RegExp, bytes: () => Buffer]>([
    [
      'a CSV file of usual size, at its end',
      /broken\.file, line \d+/,
      () => Buffer.from(`${csv(leads(2500))}"1","open\n`),
    ],
    [
      'a large CSV file, the end of which is in another encoding',
      /broken\.file, line \d+: this is no valid utf-8 text/,
      () => {
        const utf8 = csv([lead(9002, { First: 'Zo\u00eb' }), ...leads(9000)]);
        const other = csv([lead(9001, { First: 'Jos\u00e9' })]);
        return Buffer.concat([Buffer.from(utf8), Buffer.from(other, 'latin1')]);
      },
    ],
    [
      'a workbook that is cut off',
      'broken.file',
      () => zip(parts(asSheet(cells))).subarray(0, -3000),
    ],
    [
      'a gzip file with a wrong checksum',
      'damaged',
      () => Buffer.concat([gzipSync(asCsv(cells)).subarray(0, -8), Buffer.alloc(8)]),
    ],
    ['a gzip file that is cut off', 'cut off', () => gzipSync(asCsv(cells)).subarray(0, -100_000)],
    [
      'a gzip bomb of good rows',
      'unpacks to more than',
      () => {
        const [head = [], row = []] = cells;
        const rows = Buffer.alloc(68 * 2 ** 20, `${asCsv([[...row.slice(0, -1), '']])}\n`);
        return Buffer.concat([gzipSync(`${asCsv([head])}\n`), gzipSync(rows)]);
      },
    ],
    [
      'a workbook with a wrong checksum',
      'does not match its checksum',
      () =>
        zip(
          parts(asSheet(cells)).map((part) =>
            part.name.includes('sheet1') ? { ...part, crc: 1 } : part,
          ),
        ),
    ],
  ])('is not sent in part: %s', async (_what, words, bytes) => {
    const { code, stderr } = await bench.import('run', [await bench.write('broken.file', bytes())]);
    expect(code, stderr).toBe(64);
    expect(stderr).toMatch(words);
    expect(bench.center.requests).toEqual([]);
  });

  it('is sent, packed and large, where it is whole', async () => {
    const run = await bench.import('run', [await bench.write('a.csv.gz', gzipSync(asCsv(cells)))]);
    expect(run.code, run.stderr).toBe(0);
    expect(countOutcomes(run.report())).toEqual({ created: 1500 });
  });

  it(
    'is accounted for up to the fault, in a CSV file that is too large to be read twice',
    { tags: 'depth' },
    async () => {
      const rows = leads(3500)
        .map((row) => ({ ...row, Comment: 'c'.repeat(11_000) }))
        .with(3, lead(4, { Mobile: 'none' }));
      const file = await bench.write('large.csv', `${csv(rows)}"1","open\n`);
      const run = await bench.import('large', [file]);
      expect(run.code).toBe(64);
      expect(run.stderr).toMatch(/large\.csv, line \d+/);
      const report = run.report();
      expect(run.summary()).toMatchObject({ rows: report.length, state: 'stopped' });
      expect(countOutcomes(report)).toEqual({ created: bench.center.cards.size, rejected: 1 });
      expect(bench.center.cards.size).toBeGreaterThan(1000);
    },
  );
});

describe('limits', () => {
  it('keeps to those of the installation, as the contact center sees them', async () => {
    const limits =
      '{ clientsPerRequest: 40, requestBytes: 12000, concurrency: 2, requestsPerSecond: 20 }';
    await bench.write('center.yaml', installation(bench.center.url, limits));
    bench.center.behave = () => ({ delay: 150 });
    const options = ['--batch-size', '500', '--concurrency', '50', '--campaign', '42'];
    const run = await bench.import('limits', [await bench.list(800)], options);
    expect(run.code, run.stderr).toBe(0);
    const { requests } = bench.center;
    expect(Math.max(...requests.map(({ clients }) => clients))).toBeLessThanOrEqual(40);
    expect(Math.max(...requests.map(({ bytes }) => bytes))).toBeLessThanOrEqual(12_000);
    expect(bench.center.mostInFlight()).toBe(2);
    const spanned = (requests.at(-1)?.at ?? 0) - (requests[0]?.at ?? 0);
    expect(requests.length / (spanned / 1000)).toBeLessThanOrEqual(22);
  });
});

describe('what is written', () => {
  it('is for its owner alone, and computes nothing in a spreadsheet program', async () => {
    const evil = ['=HYPERLINK("http://x","y")', '@SUM(A1)', '+cmd|calc', '-2+3', '\t=1', '＝1+1'];
    const rows = evil.map((text, index) =>
      lead(index + 1, { Site: `${text}${index}.example`, Comment: text, First: text }),
    );
    bench.center.behave = () => ({ refuse: () => '=cmd|calc!A1' });
    const run = await bench.import('formulas', [await bench.list(rows)]);
    const written = readdirSync(run.out).toSorted();
    expect(written).toEqual(['rejects.csv', 'report.csv', 'run.log', 'summary.json']);
    for (const name of written) expect([name, mode(join(run.out, name))]).toEqual([name, '600']);
    expect([mode(run.out), mode(run.ledger)]).toEqual(['700', '600']);
    const cellsOf = (lines: readonly object[]) =>
      lines.flatMap((line) => Object.values(line) as string[]);
    for (const text of cellsOf(run.report())) expect(text).not.toMatch(/^\s*[=@+＝-]/u);
    for (const text of cellsOf(run.rejects())) expect(text).not.toMatch(/^\s*[=@+＝-](?!\d+$)/u);
    // The rejects are read as what they were.
    const { stdout } = await cardline(['rows', join(run.out, 'rejects.csv')]);
    const [header, ...again] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { cells: string[] }).cells);
    const comment = header?.indexOf('Comment') ?? -1;
    expect(again.map((line) => line[comment])).toEqual(evil);
  });
});

it('a file that is named twice is refused before anything is sent', async () => {
  const file = await bench.list(3);
  const run = await bench.import('refused', [file, file]);
  expect([run.code, run.stderr]).toEqual([64, expect.stringContaining('twice')]);
  expect(bench.center.requests).toEqual([]);
});
