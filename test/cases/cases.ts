import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as SheetJs from '@e965/xlsx';
import iconv from 'iconv-lite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse as parseCsv } from 'csv-parse/sync';
import { parse, stringify } from 'yaml';
import { cardline } from '../kit/cardline.js';
import { type Json, type StandIn, startContactCenter } from '../kit/contact-center.js';
import { zip } from '../kit/zip.js';

/**
 * Lists as strangers send them, and what must become of each row. A table is data: what is read, how the mapping differs from
 * the usual one, and every client, rejection and remark that comes of it; nothing else may come.
 */
interface Case {
  readonly case: string;
  /** What is read: a text, one made of many lines, or sheets of a workbook. */
  readonly text?: string;
  readonly long?: Long;
  readonly sheets?: Readonly<Record<string, readonly (readonly unknown[])[]>>;
  /** Ranges of the first sheet that are merged, such as `A2:A4`. */
  readonly merges?: readonly string[];
  /** Ending of the file's name, and what the workbook is written as. @default csv, xlsx for sheets */
  readonly as?: SheetJs.BookType | 'csv' | 'json';
  /** @default utf-8 */
  readonly encoding?: string;
  /** What the file is packed into; in a zip, beside empty files with these names. */
  readonly packed?: 'gz' | 'zip';
  /** Fields beside `leadId: ID`. */
  readonly fields?: Json;
  /** Country of the column `Phone`. @default DE */
  readonly country?: string;
  /** Further parts of `client`, in place of the usual ones. */
  readonly client?: Json;
  /** Further parts of the mapping. */
  readonly mapping?: Json;
  readonly options?: readonly string[];
  /** By `leadId`: phones with a blank between them, or what else a client has. Default: none. */
  readonly clients?: Readonly<Record<string, string | Json>>;
  /** Clients beside those that are listed. @default 0 */
  readonly others?: number;
  /** Codes of the problems by row. Default: none. */
  readonly rejected?: Readonly<Record<string, string>>;
  /** Codes of the remarks, each with the number of its rows. Default: none. */
  readonly remarks?: Readonly<Record<string, number>>;
  /** The file is refused with words that fit this. */
  readonly refused?: string;
  /** Words that fit this are printed by `import` and by `check`. */
  readonly says?: string;
  /** Shows on a further way what another case shows, and is left to the depth. */
  readonly inDepth?: true;
}

/** `{n}` is the number of the line, `{n:4}` the same with zeros before it; `lines` names other ones by number. */
interface Long {
  readonly head: string;
  readonly rows: number;
  readonly line: string;
  readonly lines?: Readonly<Record<string, string>>;
}

const CARD = ['fullName', 'birthDate', 'city', 'comment', 'amount'];

function textOf({ head, rows, line, lines: other = {} }: Long): string {
  const filled = (text: string, n: number): string =>
    text.replace(/\{n(?::(\d+))?\}/g, (_, width: string) => String(n).padStart(Number(width), '0'));
  const all = Array.from({ length: rows }, (_, at) => filled(other[at + 1] ?? line, at + 1));
  return head + all.join('');
}

function contentOf(one: Case): Uint8Array {
  const { text, long, sheets, as, encoding = 'utf-8', packed } = one;
  const content = sheets
    ? bookOf(sheets, as ?? 'xlsx', one.merges)
    : iconv.encode(text ?? textOf(long!), encoding);
  if (packed === 'gz') return gzipSync(content);
  return packed === 'zip' ? zip([{ name: `list.${as ?? 'csv'}`, data: content }]) : content;
}

function bookOf(
  sheets: NonNullable<Case['sheets']>,
  bookType: string,
  merges: readonly string[] = [],
): Buffer {
  const book = SheetJs.utils.book_new();
  for (const [at, [name, rows]] of Object.entries(sheets).entries()) {
    const sheet = SheetJs.utils.aoa_to_sheet(rows.map((row) => [...row]));
    if (at === 0) sheet['!merges'] = merges.map((range) => SheetJs.utils.decode_range(range));
    SheetJs.utils.book_append_sheet(book, sheet, name);
  }
  return SheetJs.write(book, { type: 'buffer', bookType: bookType as SheetJs.BookType }) as Buffer;
}

const mappingOf = ({ fields, country = 'DE', client, mapping }: Case): Json => ({
  client: {
    clientRoleId: { value: 1 },
    timeZone: { value: 'Europe/Berlin' },
    fields: { leadId: 'ID', ...fields },
    phones: [{ column: 'Phone', type: 'MOB', transform: [{ phone: { country } }] }],
    ...client,
  },
  ...mapping,
});

type Line = Record<string, string>;

const lines = (file: string): Line[] => parseCsv(readFileSync(file), { columns: true, bom: true });

interface Summary {
  readonly remarks?: readonly { readonly code: string; readonly count: number }[];
}

const counted = ({ remarks = [] }: Summary): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { code, count } of remarks) counts[code] = (counts[code] ?? 0) + count;
  return counts;
};

/** What is told of a client by default, or the parts that a case names. */
function told(client: Json, wanted: string | Json | undefined): unknown {
  const list = (name: string, key: string): string =>
    (client[name] as Json[]).map((entry) => String(entry[key])).join(' ');
  const phones = list('phones', 'phoneNumber');
  if (typeof wanted !== 'object') return phones;
  const { timeZone } = client;
  const all: Json = {
    ...(client['fields'] as Json),
    phones,
    emails: list('emails', 'email'),
    timeZone,
  };
  return Object.fromEntries(Object.keys(wanted).map((name) => [name, all[name] ?? null]));
}

/** Where cases are tried out. */
interface Place {
  readonly folder: string;
  readonly center: StandIn;
}

/** Tests of all cases of a table in this folder, by their kind. */
export function testCases(table: string): void {
  const text = readFileSync(join(import.meta.dirname, table), 'utf8');
  const kinds = Object.entries(parse(text, { merge: true }) as Record<string, Case[]>);
  let place: Place;
  beforeAll(async () => {
    place = await openPlace();
  });
  afterAll(async () => {
    await place.center.close();
    rmSync(place.folder, { recursive: true });
  });
  describe.each(kinds)('%s', (_kind, cases) => {
    for (const one of cases)
      it(one.case, { tags: one.inDepth ? 'depth' : [] }, () => tryOut(one, place));
  });
}

async function openPlace(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'cardline-cases-'));
  const optional = Object.fromEntries(CARD.map((name) => [name, 'optional'] as const));
  const center = await startContactCenter({ card: { leadId: 'sync', ...optional } });
  const card = {
    leadId: { type: 'TextField', sync: true },
    ...Object.fromEntries(CARD.map((name) => [name, { type: 'TextField' }])),
    amount: { type: 'Number' },
  };
  const installation = { name: 'cases', baseUrl: center.url, card, clientRoles: [1] };
  writeFileSync(join(folder, 'installation.yaml'), stringify(installation));
  return { folder, center };
}

async function tryOut(one: Case, { folder, center }: Place): Promise<void> {
  center.forget();
  const cwd = mkdtempSync(join(folder, 'case-'));
  const file = `list.${one.packed ?? (one.sheets ? (one.as ?? 'xlsx') : 'csv')}`;
  writeFileSync(join(cwd, file), contentOf(one));
  writeFileSync(join(cwd, 'mapping.yaml'), stringify(mappingOf(one)));
  const input = [file, '-m', 'mapping.yaml', '-i', '../installation.yaml', ...(one.options ?? [])];
  const run = await cardline(['import', ...input, '--ledger', 'run.db', '-o', 'out'], { cwd });
  // Workbooks have a thread of their own each time, and are read in one way for both.
  const check = one.sheets
    ? undefined
    : await cardline(['check', ...input, '--json', '-o', 'checked'], { cwd });
  const ended = check ? [check, run] : [run];
  if (one.refused !== undefined) {
    for (const { code, stderr } of ended) {
      expect(stderr).toMatch(new RegExp(one.refused));
      expect(code).toBe(64);
    }
    expect(center.cards.size).toBe(0);
    return;
  }
  const { clients = {}, rejected = {}, others = 0 } = one;
  const sent = new Map(
    [...center.cards.values()].map(({ client }) => [
      String((client['fields'] as Json)['leadId']),
      client,
    ]),
  );
  const named = [...sent].filter(([id]) => others === 0 || id in clients);
  const got = Object.fromEntries(named.map(([id, client]) => [id, told(client, clients[id])]));
  expect(got, run.stderr).toEqual(clients);
  expect(sent.size).toBe(named.length + others);
  const report = lines(join(cwd, 'out/report.csv')).filter(({ outcome }) => outcome === 'rejected');
  const codes = report.map(({ row, problemCodes }) => [row, problemCodes] as const);
  expect(Object.fromEntries(codes)).toEqual(rejected);
  expect(run.code).toBe(report.length > 0 ? 2 : 0);
  const summaries = [
    readFileSync(join(cwd, 'out/summary.json'), 'utf8'),
    check?.stdout ?? [],
  ].flat();
  for (const text of summaries)
    expect(counted(JSON.parse(text) as Summary)).toEqual(one.remarks ?? {});
  if (check)
    expect(JSON.parse(check.stdout)).toMatchObject({ clients: sent.size, rejected: report.length });
  for (const { stdout, stderr } of ended)
    expect(stdout + stderr).toMatch(new RegExp(one.says ?? ''));
  expect(center.violations).toEqual([]);
}
