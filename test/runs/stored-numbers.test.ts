import * as SheetJs from '@e965/xlsx';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { LIBRARY, built } from '../kit/built.js';
import type * as Library from '../../src/index.js';
import { folderOfTest } from '../kit/folder.js';

const { checkFiles } = await built<typeof Library>(LIBRARY);

/** How a number is written as text, by the field that takes it so from column A. */
const STYLES = {
  a: 'number',
  b: "{ number: { decimal: ',', thousands: '.' } }",
  c: "{ number: { decimal: '.', thousands: ',' } }",
  d: "{ number: { thousands: '.' } }",
} as const;
const FIELDS = [...Object.keys(STYLES), 'e'];
/** The same fields of columns of their own. */
const OWN = ['f', 'g', 'h', 'i'];
const styles = Object.values(STYLES);
const fieldsOf = (fields: readonly string[], columnOf: (field: string) => string): string =>
  styles
    .map((style, at) => [fields[at] ?? '', style] as const)
    .map(([field, style]) => `${field}: { column: ${columnOf(field)}, transform: ${style} }`)
    .join(', ');
const OF_ONE = fieldsOf(FIELDS, () => 'A');
const OF_THEIR_OWN = fieldsOf(OWN, (field) => field.toUpperCase());

let folder: string;
const at = (name: string): string => join(folder, name);
beforeEach(async () => {
  folder = folderOfTest();
  await writeFile(
    at('center.yaml'),
    `name: numbers
baseUrl: https://center.example.com
card: { leadId: { type: TextField, sync: true }, ${[...FIELDS, ...OWN].map((name) => `${name}: { type: Number }`).join(', ')} }
clientRoles: [1]
`,
  );
});

const COLUMNS = ['A', 'F', 'G', 'H', 'I'];
const NUMBERS = [1.234, 2.5, 1234, -1234.5, 0.125, 999.999];
const rows = NUMBERS.map((amount, index) => ({
  ...{ ID: `L${index}`, Phone: `+4915123451${index}00` },
  ...Object.fromEntries(COLUMNS.map((name) => [name, amount])),
}));

const book = (bookType: SheetJs.BookType): Uint8Array => {
  const workbook = SheetJs.utils.book_new();
  SheetJs.utils.book_append_sheet(workbook, SheetJs.utils.json_to_sheet(rows), 'List');
  return SheetJs.write(workbook, { type: 'buffer', bookType }) as Uint8Array;
};
const parquet = (): Uint8Array =>
  new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: 'ID', data: rows.map(({ ID }) => ID), type: 'STRING' },
        { name: 'Phone', data: rows.map(({ Phone }) => Phone), type: 'STRING' },
        ...COLUMNS.map((name) => ({ name, data: NUMBERS, type: 'DOUBLE' as const })),
      ],
    }),
  );

describe.each<readonly [string, () => string | Uint8Array]>([
  ['xlsx', () => book('xlsx')],
  ['xlsb', () => book('xlsb')],
  ['xls', () => book('biff8')],
  ['ods', () => book('ods')],
  ['jsonl', () => rows.map((row) => `${JSON.stringify(row)}\n`).join('')],
  ['json', () => JSON.stringify(rows)],
  ['parquet', parquet],
])('a number that is stored as such (%s)', (ending, content) => {
  it.each([
    [
      'columns of their own, and one column',
      `${OF_THEIR_OWN}, ${OF_ONE}`,
      [...OWN, ...Object.keys(STYLES)],
    ],
    ['one column that a field takes as it stands', `${OF_ONE}, e: A`, FIELDS],
  ])('is itself, however numbers are written as text (%s)', async (_of, mapped, fields) => {
    await writeFile(at(`list.${ending}`), content());
    await writeFile(
      at('list.yaml'),
      `client:
  clientRoleId: { value: 1 }
  timeZone: { value: UTC }
  fields: { leadId: ID, ${mapped} }
  phones: [{ column: Phone, type: MOB }]
`,
    );
    const { summary } = await checkFiles({
      ...{ files: [at(`list.${ending}`)], mapping: at('list.yaml') },
      ...{ installation: at('center.yaml'), show: 10 },
    });
    const sent = summary.sample.map((one) => ('fields' in one ? one.fields : {}));
    for (const field of fields) {
      const amounts = sent.map((its) => (its as Record<string, unknown>)[field]);
      expect([field, amounts]).toEqual([field, NUMBERS]);
    }
    expect(summary.suspicions).toEqual([]);
  });
});
