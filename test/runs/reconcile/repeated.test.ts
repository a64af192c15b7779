import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RowReport } from '../../../src/core/report.js';
import { createSeenKeys } from '../../../src/lists/seen.js';
import { withRepeats } from '../../../src/run/recorded.js';
import { cardline } from '../../kit/cardline.js';
import { rowReport } from '../report/rows.js';
import { testFolder } from '../../kit/folder.js';

/** A contact center to which logins that differ in the case of letters are one: "ANNA" is on the card of "anna". */
const CARDS: Readonly<Record<string, number>> = { anna: 11, boris: 12, clara: 13 };

let server: Server;
const folder = testFolder();
const at = (name: string): string => join(folder, name);

interface Summary {
  readonly run: string;
  readonly rows: number;
  readonly outcomes: Record<string, number>;
  readonly repeated: { readonly identifiers: number; readonly cards: number };
}

beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method === 'GET') {
        response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
        return;
      }
      const { clientSyncIdentifiers: wanted } = JSON.parse(body) as {
        clientSyncIdentifiers: { login: string };
      };
      const id = CARDS[wanted.login.toLowerCase()];
      const found = { id, login: wanted.login.toLowerCase(), fullName: 'Same' };
      const answer =
        id === undefined
          ? { errorMessage: `No clients with identifiers: [login=${wanted.login}]` }
          : { clientFieldsToValues: found };
      response.writeHead(id === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await writeFile(
    at('center.yaml'),
    `name: test\nbaseUrl: http://127.0.0.1:${port}\ncard:\n  login: { type: TextField, sync: true }\n  fullName: { type: TextField, required: true }\n`,
  );
});

afterAll(() => {
  server.close();
});

/** Rows 2 to 9 of a spreadsheet, one for each login; a login with `!` is left out by the mapping. */
const LOGINS = ['anna', 'boris', 'ANNA', 'anna', 'nobody', 'nobody', 'Anna', '!anna'];

async function compared(duplicates: string, files: Readonly<Record<string, readonly string[]>>) {
  for (const [file, logins] of Object.entries(files)) {
    const lines = logins.map((login) => `${login.replace('!', '')},Same,${login[0]}`);
    await writeFile(at(file), ['Login,Name,Mark', ...lines, ''].join('\n'));
  }
  await writeFile(
    at('leads.yaml'),
    [
      'mode: update',
      'where: { not: { column: Mark, in: ["!"] } }',
      'client: { fields: { login: Login, fullName: Name } }',
      `duplicates: { by: ${duplicates} }`,
    ].join('\n'),
  );
  const common = ['-m', 'leads.yaml', '-i', 'center.yaml', '--concurrency', '4'];
  const args = ['reconcile', ...Object.keys(files), ...common, '--out', 'out', '-q'];
  const { code, stdout, stderr } = await cardline(args, { cwd: folder });
  expect([code, stderr]).toEqual([2, '']);
  const rows: Record<string, string>[] = parse(await readFile(at('out/report.csv')), {
    columns: true,
  });
  const summary = JSON.parse(await readFile(at('out/summary.json'), 'utf8')) as Summary;
  return { stdout, summary, told: rows.map(({ verdict, problems }) => [verdict, problems]) };
}

it('tells of rows that share identifiers or a card, naming the first row, whatever came first over the wire', async () => {
  const { told, summary, stdout } = await compared('sync', { 'leads.csv': LOGINS });
  expect(told).toEqual([
    ['match', ''],
    ['match', ''],
    ['match', 'The synchronization identifiers belong to the card of row 2.'],
    ['skipped', 'The row has the synchronization identifiers of row 2, which goes in its place.'],
    ['missing', ''],
    ['skipped', 'The row has the synchronization identifiers of row 6, which goes in its place.'],
    ['match', 'The synchronization identifiers belong to the card of row 2.'],
    ['skipped', expect.stringContaining('Left out by the mapping')],
  ]);
  expect(summary.repeated).toEqual({ identifiers: 2, cards: 2 });
  expect(stdout).toMatch(/^repeated identifiers +2 {2}identifiers that an earlier row has/m);
  expect(stdout).toMatch(/^shared cards +2 {2}identifiers that belong to an earlier row's card/m);
});

it('compares each of them where duplicates are not left out, and tells all the same', async () => {
  const { told, summary } = await compared('none', { 'leads.csv': LOGINS });
  expect(told.slice(2, 7)).toEqual([
    ['match', 'The synchronization identifiers belong to the card of row 2.'],
    ['match', 'The synchronization identifiers stand in row 2, too.'],
    ['missing', ''],
    ['missing', 'The synchronization identifiers stand in row 6, too.'],
    ['match', 'The synchronization identifiers belong to the card of row 2.'],
  ]);
  expect(summary.repeated).toEqual({ identifiers: 2, cards: 2 });
});

it('names the file of the other row where there are several', async () => {
  const { told } = await compared('none', { 'a.csv': ['anna', 'clara'], 'b.csv': ['x', 'Anna'] });
  expect(told.at(-1)).toEqual([
    'match',
    'The synchronization identifiers belong to the card of row 2 of a.csv.',
  ]);
});

it('says the same in a report that is asked for later, in every format', async () => {
  const { summary, told } = await compared('sync', { 'leads.csv': LOGINS });
  const report = async (format: string): Promise<string> => {
    const { code, stdout } = await cardline(
      ['report', summary.run, '--format', format, ...(format === 'html' ? ['-o', 'r.html'] : [])],
      { cwd: folder },
    );
    expect(code).toBe(0);
    return format === 'html' ? readFile(at('r.html'), 'utf8') : stdout;
  };
  expect(await report('csv')).toBe(await readFile(at('out/report.csv'), 'utf8'));
  const lines = (await report('jsonl')).trim().split('\n');
  const problems = lines.map(
    (line) => (JSON.parse(line) as { problems: { message: string }[] }).problems[0]?.message ?? '',
  );
  const messages = told.map(([, problem = '']) => problem.replace(/^Mark: (.*) \(!\)$/, '$1'));
  expect(problems).toEqual(messages);
  expect(await report('text')).toMatch(/^shared cards +2 /m);
  const html = await report('html');
  expect(html).toContain('shared cards: 2 rows');
  // Rows that match and share a card are among those to look at.
  expect(html).toContain('"match",11,');
});

describe('rows that repeat others', () => {
  const told = (rows: readonly RowReport[], inputs: readonly string[], memoryKeys?: number) => {
    const seen = createSeenKeys(memoryKeys);
    const messages = [...withRepeats(rows, inputs, seen)].map(
      ({ problems }) => problems[0]?.message ?? '',
    );
    seen.close();
    return messages;
  };
  const matching = (change: Partial<RowReport>, clientId: number | null): RowReport =>
    rowReport({
      ...{ outcome: 'match', createdClientId: null, createResult: null, enqueueResult: null },
      inspection: { verdict: 'match', clientId, differences: [], application: null },
      ...change,
    });

  it('are told by sheet, since each has row numbers of its own', () => {
    const rows = [
      matching({ sheet: 'May', row: 2, identifiers: [1] }, 11),
      matching({ sheet: 'June', row: 2, identifiers: [2] }, 12),
      matching({ sheet: 'June', row: 3, identifiers: [1] }, 11),
      matching({ sheet: 'June', row: 4, identifiers: [3] }, 12),
    ];
    expect(told(rows, ['/data/leads.xlsx']).slice(2)).toEqual([
      'The synchronization identifiers stand in row 2 of May, too.',
      'The synchronization identifiers belong to the card of row 2.',
    ]);
  });

  it('are none where the contact center gives no id, or a row has not all identifiers', () => {
    const rows = [
      matching({ row: 2, identifiers: [1, 'a'] }, null),
      matching({ row: 3, identifiers: [2, 'a'] }, null),
      rowReport({ row: 4, identifiers: [null, 'a'], outcome: 'rejected' }),
      rowReport({ row: 5, identifiers: [null, 'a'], outcome: 'rejected' }),
    ];
    expect(told(rows, ['leads.csv'])).toEqual(['', '', '', '']);
  });

  it('are found however many rows lie between, with few of them in memory', () => {
    const between = Array.from({ length: 2000 }, (_, at) =>
      matching({ row: at + 3, identifiers: [at + 1] }, at + 100),
    );
    const first = matching({ row: 2, identifiers: [0] }, 7);
    const last = matching({ row: 2003, identifiers: [-1] }, 7);
    const messages = told([first, ...between, last], ['leads.csv'], 64);
    expect(messages.filter((message) => message !== '')).toEqual([
      'The synchronization identifiers belong to the card of row 2.',
    ]);
    expect(messages.at(-1)).not.toBe('');
  });
});
