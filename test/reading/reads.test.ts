import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/core/errors.js';
import type {
  Cell,
  Row,
  RowDefect,
  Source,
  SourceInfo,
  SourceOptions,
} from '../../src/core/table.js';
import { openSource } from '../../src/source/source.js';
import { compoundFile } from '../kit/compound-file.js';
import { zip, type ZipPart } from '../kit/zip.js';
import { testFolder } from './files.js';
import * as book from './xlsx/workbook.js';
import { tablesIn } from '../kit/tables.js';

/** A text in UTF-8, pieces one behind the other, or what is named by its one key, with what belongs to it. */
type Content = string | readonly Content[] | Piece;

interface Piece {
  readonly hex?: string;
  readonly text?: string;
  /** Encoding of the text. */
  readonly in?: string;
  readonly repeat?: Content;
  readonly times?: number;
  readonly gzip?: Content;
  /** Parts by their names, in this order. */
  readonly zip?: Readonly<Record<string, Content>>;
  /** Names of the streams of a compound file. */
  readonly compound?: readonly string[];
  /** Rows of the first sheet of a workbook, and its other parts; null leaves one out. */
  readonly xlsx?: string;
  readonly parts?: Readonly<Record<string, Content | null>>;
  /** What the container says of a part, right or not. */
  readonly claims?: Readonly<Record<string, Partial<ZipPart>>>;
  /** Insides of parts of a workbook. */
  readonly sheet?: string;
  readonly book?: string;
  readonly strings?: readonly string[];
  readonly styles?: readonly string[];
  readonly targets?: readonly (readonly [id: string, type: string, target: string])[];
  /** Tables of an OpenDocument sheet, its styles, and further parts. */
  readonly ods?: string;
  readonly odsStyles?: string;
}

/** A row by its number; what is said of it beside its cells stands behind them. */
type Read = readonly [row: number, cells: readonly Cell[], more?: object];

interface Case {
  readonly case: string;
  readonly content: Content;
  readonly name?: string;
  readonly options?: SourceOptions;
  /** All rows, or how many there are and the last ones. @default none */
  readonly rows?: readonly Read[];
  readonly count?: number;
  readonly last?: readonly Read[];
  /** Sheets of the rows, in their order. */
  readonly sheets?: readonly string[];
  /** What each defect and remark says. */
  readonly tells?: string;
  /** A part of what is known of the file. */
  readonly info?: Partial<SourceInfo>;
  /** What is said of a text that may be in another encoding. @default nothing */
  readonly doubt?: object;
  /** Code of the error that ends the reading, its place, a part of its message, and what it must not show. @default none */
  readonly error?: string;
  readonly at?: InputError['place'];
  readonly says?: string;
  readonly hides?: string;
  /** Looking through the file before it is read finds the error, too. */
  readonly foundBefore?: true;
  readonly inDepth?: true;
}

const folder = testFolder();

/** @param behind the rows of a workbook: the reader goes another way where they are not the end of their part */
function bytesOf(content: Content, behind = ''): Buffer {
  if (typeof content === 'string') return Buffer.from(content);
  if (isList(content)) return Buffer.concat(content.map((piece) => bytesOf(piece, behind)));
  const { hex, text, repeat, times = 1, compound, parts = {}, targets } = content;
  if (hex !== undefined) return Buffer.from(hex, 'hex');
  if (text !== undefined) return iconv.encode(text, content.in ?? 'utf-8');
  if (repeat !== undefined) {
    const piece = bytesOf(repeat);
    return Buffer.alloc(piece.length * times, piece);
  }
  if (content.gzip !== undefined) return gzipSync(bytesOf(content.gzip, behind));
  if (content.zip) return zip(partsOf(content.zip));
  if (compound) return compoundFile(...compound);
  if (content.sheet !== undefined) return Buffer.from(book.worksheet(content.sheet));
  if (content.book !== undefined) return Buffer.from(book.workbook(content.book));
  if (content.strings) return Buffer.from(book.strings(...content.strings));
  if (content.styles) return Buffer.from(book.styles(...content.styles));
  if (targets) return Buffer.from(book.relationships(targets));
  if (content.ods !== undefined) return odsOf(content);
  const others = Object.entries(parts).map(
    ([name, part]) => [name, part && bytesOf(part)] as const,
  );
  const all = book.parts(`${content.xlsx}${behind}`, Object.fromEntries(others));
  return zip(all.map((part) => ({ ...part, ...content.claims?.[part.name] })));
}

const isList = (content: Content): content is readonly Content[] => Array.isArray(content);

const partsOf = (parts: Readonly<Record<string, Content | null>>): ZipPart[] =>
  Object.entries(parts).map(([name, part]) => ({ name, data: bytesOf(part ?? '') }));

function odsOf({ ods = '', odsStyles = '', parts = {} }: Piece): Buffer {
  const data =
    `<?xml version="1.0" encoding="UTF-8"?><office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x">` +
    `<office:automatic-styles>${odsStyles}</office:automatic-styles>` +
    `<office:body><office:spreadsheet>${ods}</office:spreadsheet></office:body></office:document-content>`;
  return zip([{ name: 'content.xml', data }, ...partsOf(parts)]);
}

const listed = (defects: readonly RowDefect[]): string =>
  defects.map(({ column, code }) => `${column ?? ''}: ${code}`).join(', ');

function shown({ sheet: _, row, cells, defects, remarks, ...others }: Row): Read {
  const more = {
    ...others,
    ...(defects && { defects: listed(defects) }),
    ...(remarks && { remarks: listed(remarks) }),
  };
  return Object.keys(more).length === 0 ? [row, cells] : [row, cells, more];
}

async function readAll(content: Content, { name, options }: Case, behind?: string) {
  const rows: Row[] = [];
  let source: Source | undefined;
  try {
    source = await openSource(await folder.write(bytesOf(content, behind), name), options);
    for await (const batch of source.batches()) {
      expect(new Set(batch.map(({ sheet }) => sheet)).size, 'sheets of a batch').toBe(1);
      rows.push(...batch);
    }
    await source.verify();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { rows, source, error };
  }
  return { rows, source };
}

async function tryOut(one: Case, behind?: string): Promise<void> {
  const { rows, source, error } = await readAll(one.content, one, behind);
  expect(error?.code, error?.message).toBe(one.error);
  if (one.at) expect(error?.place).toMatchObject(one.at);
  if (one.says !== undefined) expect(error?.message).toMatch(new RegExp(one.says));
  if (one.hides !== undefined) expect(`${error?.message}${error?.stack}`).not.toContain(one.hides);
  if (one.foundBefore) await expect(source?.verify()).rejects.toMatchObject({ code: one.error });
  for (const { defects = [], remarks = [] } of rows)
    for (const { message } of [...defects, ...remarks])
      expect(message).toMatch(new RegExp(one.tells ?? ''));
  if (one.info) expect(source?.info).toMatchObject(one.info);
  if (!one.doubt) expect(source?.info.encodingDoubt).toBeUndefined();
  else expect(source?.info.encodingDoubt).toMatchObject(one.doubt);
  if (one.sheets) expect([...new Set(rows.map(({ sheet }) => sheet))]).toEqual(one.sheets);
  if (one.last) expect(rows.slice(-one.last.length).map(shown)).toEqual(one.last);
  if (one.count !== undefined) expect(rows).toHaveLength(one.count);
  else if (!one.last) expect(rows.map(shown)).toEqual(one.rows ?? []);
}

const TABLES = join(import.meta.dirname, 'reads');

describe.each(readdirSync(TABLES))('%s', (table) => {
  const kinds = tablesIn(TABLES, table) as Readonly<Record<string, readonly Case[]>>;
  describe.each(Object.entries(kinds))('%s', (_kind, cases) => {
    for (const one of cases)
      it(one.case, { tags: one.inDepth ? 'depth' : [] }, async () => {
        await tryOut(one);
        if (JSON.stringify(one.content).includes('"xlsx"')) await tryOut(one, ' '.repeat(500));
      });
  });
});
