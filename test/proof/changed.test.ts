/**
 * A run is what it is made of: it is ended by SIGKILL or SIGTERM in its middle, then one part of it is changed (the
 * input's content, the mapping, a lookup file, the card configuration, the client roles, the address, the campaign, the
 * mode or the sheet). The same command is refused with code 64, says which part has changed, and sends nothing. With the
 * part restored the run continues, under other limits, headers and times for requests, and nobody is sent twice.
 */
import { afterEach, describe, expect, it } from 'vitest';
import {
  CARD,
  COLUMNS,
  MAPPING,
  countOutcomes,
  csv,
  installation,
  lead,
  leads,
  useBench,
} from '../kit/bench.js';
import { type StandIn, startContactCenter } from '../kit/contact-center.js';
import { zip } from '../kit/zip.js';
import { parts, relationships, workbook, worksheet } from '../reading/xlsx/workbook.js';
import { NAIVE, PROMPT, STEADY, eachOnce, said, sendings, stoppedAt } from './harness.js';

const ROWS = 400;
const CAMPAIGN = ['--campaign', '42'];
const SEGMENTS = 'name,segment\ncold,cold\nwarm,warm\n';
const OTHER_SEGMENTS = SEGMENTS.replace('warm,warm', 'warm,cold');
const WITH_TABLE = MAPPING.replace(
  'segment: { column: Segment, transform: [trim, lower] }',
  'segment: { column: Segment, transform: [trim, lower, { lookup: { file: segments.csv, key: name, value: segment } }] }',
);
const center = (url = bench.center.url): string => installation(url, '{}', PROMPT);
const ORIGINAL = (): Readonly<Record<string, string>> => ({
  'leads.csv': csv(leads(ROWS)),
  'mapping.yaml': WITH_TABLE,
  'segments.csv': SEGMENTS,
  'center.yaml': center(),
});
const write = async (files: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, content] of Object.entries(files)) await bench.write(name, content);
};

/** Another address. */
let other: StandIn;
const bench = useBench({
  ...NAIVE,
  prepare: async () => {
    other = await startContactCenter({ card: CARD, campaigns: { 42: 'Autumn leads' } });
    await write(ORIGINAL());
  },
});
afterEach(() => other.close());

/** A part of what a run is made of: the words that tell it, and how it is changed. */
type Part = readonly [
  name: string,
  words: RegExp,
  /** A file with its changed content, or other options. */
  change: () => Readonly<Record<string, string>> | readonly string[],
];

const PARTS: readonly Part[] = [
  [
    'the content of the input',
    /input/i,
    () => ({ 'leads.csv': csv(leads(ROWS).with(390, lead(391, { Comment: 'new' }))) }),
  ],
  [
    'the mapping',
    /mapping/i,
    () => ({ 'mapping.yaml': WITH_TABLE.replace('Europe/Moscow', 'Asia/Omsk') }),
  ],
  ['a lookup file', /lookup|segments\.csv/i, () => ({ 'segments.csv': OTHER_SEGMENTS })],
  [
    'the card configuration',
    /\bcard\b/i,
    () => ({ 'center.yaml': center().replace('[cold, warm]', '[cold, warm, hot]') }),
  ],
  [
    'the client roles',
    /roles/i,
    () => ({ 'center.yaml': center().replace('clientRoles: [1, 2]', 'clientRoles: [1]') }),
  ],
  ['the address', /address/i, () => ({ 'center.yaml': center(other.url) })],
  ['the campaign, which is left out', /campaign/i, () => []],
  ['the mode', /mapping|mode/i, () => [...CAMPAIGN, '--mode', 'upsert']],
];

const imports = (options: readonly string[]) =>
  bench.import('run', [bench.at('leads.csv')], options);
const stopped = (creations: number, signal?: 'SIGKILL' | 'SIGTERM') =>
  stoppedAt(
    bench,
    () => bench.start('run', [bench.at('leads.csv')], [...STEADY, ...CAMPAIGN]),
    creations,
    signal,
  );

describe.each([
  ['SIGKILL', null],
  ['SIGTERM', 3],
] as const)('a run that %s ended', (signal, code) => {
  it('is not continued with a changed part, and is with all of them', async () => {
    expect((await stopped(4, signal)).code).toBe(code);
    const before = sendings(bench.center);
    for (const [name, words, change] of PARTS) {
      const changed = change();
      if (!Array.isArray(changed)) await write(changed as Readonly<Record<string, string>>);
      const run = await imports([
        ...STEADY,
        ...(Array.isArray(changed) ? (changed as string[]) : CAMPAIGN),
      ]);
      await write(ORIGINAL());
      const sent = sendings(bench.center) + sendings(other) - before;
      expect([name, run.code, sent], said(run)).toEqual([name, 64, 0]);
      expect(run.stderr).toMatch(/changed/i);
      expect(run.stderr).toMatch(words);
    }
    const otherwise = installation(
      bench.center.url,
      '{ requestsPerSecond: 500 }',
      '{ timeoutMs: 30000, serverDeadlineMs: 500 }',
    ).replace('headers: { ', 'headers: { X-Night: "yes", ');
    await write({ 'center.yaml': otherwise });
    const run = await imports([...CAMPAIGN, '--batch-size', '30', '--concurrency', '3']);
    expect(run.code, said(run)).toBe(0);
    expect(run.stderr).toContain('Continuing');
    await eachOnce(bench.center, ROWS);
    expect(countOutcomes(run.report())).toEqual({ enqueued: ROWS });
  }, 120_000);
});

it('a lookup file that changed is not continued by "resume" either', async () => {
  await stopped(4);
  await write({ 'segments.csv': OTHER_SEGMENTS });
  const sent = sendings(bench.center);
  const run = await bench.run('resume', '--ledger', bench.at('run.db'));
  expect([run.code, run.stderr]).toEqual([64, expect.stringMatching(/lookup|segments\.csv/i)]);
  expect(sendings(bench.center)).toBe(sent);
});

it('another sheet of the same workbook is not continued', async () => {
  const file = await bench.write('leads.xlsx', twoSheets());
  const of = (sheet: string) => [...STEADY, '--sheet', sheet];
  await stoppedAt(bench, () => bench.start('book', [file], of('First')), 3);
  const sent = sendings(bench.center);
  const run = await bench.import('book', [file], of('Second'));
  expect([run.code, run.stderr]).toEqual([64, expect.stringMatching(/sheet|input|mapping/i)]);
  expect(sendings(bench.center)).toBe(sent);
  const rest = await bench.import('book', [file], of('First'));
  expect(rest.code, said(rest)).toBe(0);
  await eachOnce(bench.center, ROWS);
});

/** A workbook with two sheets of different leads. */
function twoSheets(): Buffer {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const row = (cells: readonly string[]): string => {
    const texts = cells.map((text) => `<t xml:space="preserve">${escaped(text)}</t>`);
    return `<row>${texts.map((text) => `<c t="inlineStr"><is>${text}</is></c>`).join('')}</row>`;
  };
  const sheet = (from: number): string => {
    const rows = leads(from + ROWS).slice(from);
    return [COLUMNS, ...rows.map((one) => COLUMNS.map((name) => one[name]))].map(row).join('');
  };
  const tab = (name: string, id: number) => `<sheet name="${name}" sheetId="${id}" r:id="r${id}"/>`;
  return zip(
    parts(sheet(0), {
      'xl/workbook.xml': workbook(tab('First', 1) + tab('Second', 2)),
      'xl/_rels/workbook.xml.rels': relationships([
        ['r1', 'worksheet', 'worksheets/sheet1.xml'],
        ['r2', 'worksheet', 'worksheets/sheet2.xml'],
      ]),
      'xl/worksheets/sheet2.xml': worksheet(sheet(ROWS)),
    }),
  );
}
