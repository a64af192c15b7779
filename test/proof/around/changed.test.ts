/**
 * A run is what it is made of: it is ended by SIGKILL or SIGTERM in its middle, then one part of it is changed (the
 * input's content, the mapping, a lookup file, the card configuration, the client roles, the address, the campaign, the
 * mode or the sheet). The same command is refused with code 64, says which part has changed, and sends nothing. With the
 * part restored the run continues, under other limits, headers and times for requests, and nobody is sent twice.
 *
 * One variant for all runs, about 10 s.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type StandIn, startContactCenter } from '../../kit/contact-center.js';
import {
  type Bench,
  CARD,
  COLUMNS,
  MAPPING,
  countOutcomes,
  csv,
  installation,
  lead,
  leads,
  twice,
} from '../../runs/harness.js';
import { zip } from '../../kit/zip.js';
import {
  PROMPT,
  STEADY,
  command,
  creationsOf,
  eachOnce,
  openNaiveBench,
  said,
  sendings,
  stoppedAt,
} from './harness.js';

const ROWS = 400;
const CAMPAIGN = ['--campaign', '42'];
const SEGMENTS = 'name,segment\ncold,cold\nwarm,warm\n';
const WITH_TABLE = MAPPING.replace(
  'segment: { column: Segment, transform: [trim, lower] }',
  'segment: { column: Segment, transform: [trim, lower, { lookup: { file: segments.csv, key: name, value: segment } }] }',
);

let bench: Bench;
/** Another address. */
let other: StandIn;
beforeEach(async () => {
  bench = await openNaiveBench();
  other = await startContactCenter({ card: CARD, campaigns: { 42: 'Autumn leads' } });
  await bench.write('leads.csv', csv(leads(ROWS)));
  await bench.write('mapping.yaml', WITH_TABLE);
  await bench.write('segments.csv', SEGMENTS);
});
afterEach(async () => {
  await other.close();
  await bench.close();
});

const center = (): string => installation(bench.center.url, '{}', PROMPT);

/** A part of what a run is made of: how it is changed, and the words that tell it. */
interface Part {
  readonly words: RegExp;
  /** Files with their changed content; they are written as they were before afterwards. */
  readonly files?: () => Readonly<Record<string, string>>;
  readonly options?: readonly string[];
}

const PARTS: Readonly<Record<string, Part>> = {
  'the content of the input': {
    words: /input/i,
    files: () => ({ 'leads.csv': csv(leads(ROWS).with(390, lead(391, { Comment: 'new' }))) }),
  },
  'the mapping': {
    words: /mapping/i,
    files: () => ({ 'mapping.yaml': WITH_TABLE.replace('Europe/Moscow', 'Asia/Omsk') }),
  },
  'a lookup file': {
    words: /lookup|segments\.csv/i,
    files: () => ({ 'segments.csv': SEGMENTS.replace('warm,warm', 'warm,cold') }),
  },
  'the card configuration': {
    words: /\bcard\b/i,
    files: () => ({ 'center.yaml': center().replace('[cold, warm]', '[cold, warm, hot]') }),
  },
  'the client roles': {
    words: /roles/i,
    files: () => ({ 'center.yaml': center().replace('clientRoles: [1, 2]', 'clientRoles: [1]') }),
  },
  'the address': {
    words: /address/i,
    files: () => ({ 'center.yaml': center().replace(bench.center.url, other.url) }),
  },
  'the campaign, which is left out': { words: /campaign/i, options: [] },
  'the mode': { words: /mapping|mode/i, options: [...CAMPAIGN, '--mode', 'upsert'] },
};

const ORIGINAL = (): Readonly<Record<string, string>> => ({
  'leads.csv': csv(leads(ROWS)),
  'mapping.yaml': WITH_TABLE,
  'segments.csv': SEGMENTS,
  'center.yaml': center(),
});

const write = async (files: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, content] of Object.entries(files)) await bench.write(name, content);
};

const imports = (options: readonly string[]) =>
  bench.import('run', [bench.at('leads.csv')], [...STEADY, ...options]);

/** Tries the command with each part changed, until one of them does not matter to it. */
async function refusedWhenChanged(): Promise<void> {
  const before = sendings(bench.center);
  const found: Record<string, unknown> = {};
  for (const [name, { words, files, options }] of Object.entries(PARTS)) {
    if (files) await write(files());
    const { code, stderr } = await imports(options ?? CAMPAIGN);
    await write(ORIGINAL());
    const sent = sendings(bench.center) + sendings(other) - before;
    const isTold = /changed/i.test(stderr) && words.test(stderr);
    found[name] = { code, sent, told: isTold || stderr };
    if (sent > 0) break;
  }
  const refused = { code: 64, sent: 0, told: true };
  expect(found).toEqual(Object.fromEntries(Object.keys(PARTS).map((name) => [name, refused])));
}

describe.each([
  ['SIGKILL', null],
  ['SIGTERM', 3],
] as const)('a run that %s ended', (signal, code) => {
  it(
    'is not continued with a changed part, and is with all of them',
    { timeout: 120_000 },
    async () => {
      const start = () => bench.start('run', [bench.at('leads.csv')], [...STEADY, ...CAMPAIGN]);
      expect((await stoppedAt(bench, start, 4, signal)).code).toBe(code);
      await refusedWhenChanged();
      await write({
        'center.yaml': installation(
          bench.center.url,
          '{ requestsPerSecond: 500 }',
          '{ timeoutMs: 30000, serverDeadlineMs: 500 }',
        ).replace('headers: { ', 'headers: { X-Night: "yes", '),
      });
      const run = await bench.import(
        'run',
        [bench.at('leads.csv')],
        [...CAMPAIGN, '--batch-size', '30', '--concurrency', '3'],
      );
      expect(run.code, said(run)).toBe(0);
      expect(run.stderr).toContain('Continuing');
      await eachOnce(bench.center, ROWS);
      expect(countOutcomes(run.report())).toEqual({ enqueued: ROWS });
    },
  );
});

it(
  'a lookup file that changed is not continued by "resume" either',
  { timeout: 60_000 },
  async () => {
    const start = () => bench.start('run', [bench.at('leads.csv')], [...STEADY, ...CAMPAIGN]);
    await stoppedAt(bench, start, 4);
    await bench.write('segments.csv', SEGMENTS.replace('warm,warm', 'warm,cold'));
    const sent = sendings(bench.center);
    const run = await command(bench, ['resume', '--ledger', bench.at('run.db')]);
    expect(run.code, said(run)).toBe(64);
    expect(run.stderr).toMatch(/lookup|segments\.csv/i);
    expect(sendings(bench.center)).toBe(sent);
  },
);

it('another sheet of the same workbook is not continued', { timeout: 60_000 }, async () => {
  const file = await bench.write('leads.xlsx', workbook());
  const start = () => bench.start('book', [file], [...STEADY, '--sheet', 'First']);
  await stoppedAt(bench, start, 3);
  const created = creationsOf(bench.center);
  const run = await bench.import('book', [file], [...STEADY, '--sheet', 'Second']);
  expect(run.code, said(run)).toBe(64);
  expect(run.stderr).toMatch(/sheet|input|mapping/i);
  expect(creationsOf(bench.center)).toBe(created);
  const rest = await bench.import('book', [file], [...STEADY, '--sheet', 'First']);
  expect(rest.code, said(rest)).toBe(0);
  expect(twice(bench.center.creations)).toEqual([]);
  expect(bench.center.cards.size).toBe(ROWS);
});

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

/** A workbook with two sheets of different leads. */
function workbook(): Buffer {
  const relationships = (all: readonly (readonly [type: string, target: string])[]): string =>
    `<Relationships xmlns="${PACKAGE}/relationships">${all
      .map(
        ([type, to], at) => `<Relationship Id="r${at}" Type="${OFFICE}/${type}" Target="${to}"/>`,
      )
      .join('')}</Relationships>`;
  const sheet = (from: number): string => {
    const rows = leads(from + ROWS - 1).slice(from - 1);
    const lines = [COLUMNS, ...rows.map((row) => COLUMNS.map((name) => row[name]))];
    return `<worksheet xmlns="${MAIN}"><sheetData>${lines
      .map((cells) => `<row>${cells.map(cell).join('')}</row>`)
      .join('')}</sheetData></worksheet>`;
  };
  const sheets = ['First', 'Second']
    .map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="r${at}"/>`)
    .join('');
  return zip([
    { name: '[Content_Types].xml', data: '<Types/>' },
    { name: '_rels/.rels', data: relationships([['officeDocument', 'xl/workbook.xml']]) },
    {
      name: 'xl/workbook.xml',
      data: `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: relationships([
        ['worksheet', 'worksheets/sheet1.xml'],
        ['worksheet', 'worksheets/sheet2.xml'],
      ]),
    },
    { name: 'xl/worksheets/sheet1.xml', data: sheet(1) },
    { name: 'xl/worksheets/sheet2.xml', data: sheet(ROWS + 1) },
  ]);
}

const cell = (text: string): string =>
  `<c t="inlineStr"><is><t xml:space="preserve">${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</t></is></c>`;
