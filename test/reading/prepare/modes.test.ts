import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import { openPreparation } from '../../../src/prepare/preparation.js';
import type { Preparation, PreparePlan } from '../../../src/prepare/plan.js';
import { readFactOf } from '../../../src/core/facts.js';
import { duplicatesBy } from '../../../src/core/duplicates.js';
import type { Mode } from '../../../src/core/outcome.js';
import { type PreparedChunk, identifiersOf, uuidOf } from '../../../src/core/prepared.js';
import { createSeenKeys } from '../../../src/lists/seen.js';
import { screenChunk } from '../../../src/delivery/import.js';
import { cardline } from '../../kit/cardline.js';
import { tablesIn } from '../../kit/tables.js';
import { testFolder } from '../../kit/folder.js';

const folder = testFolder();

const INSTALLATION = `name: test
baseUrl: http://127.0.0.1:1
card: { id: { type: Number, sync: true }, code: { type: TextField, sync: true }, name: { type: TextField } }
limits: { requestBytes: 2000 }
`;
const FIELDS = 'id: Id, code: Code';

interface Setup extends Partial<Pick<PreparePlan, 'purpose' | 'show' | 'mode'>> {
  readonly installation?: null;
}

async function prepare(
  yaml: string,
  rows: string | Buffer,
  setup: Setup = {},
): Promise<Preparation> {
  const write = async (name: string, text: string | Buffer): Promise<string> => {
    const file = join(folder, name);
    await writeFile(file, text);
    return file;
  };
  const { installation, ...wanted } = setup;
  return openPreparation({
    inputs: [{ path: await write('rows.csv', rows), name: 'rows.csv' }],
    mapping: await write('mapping.yaml', yaml),
    installation: installation === null ? undefined : await write('i.yaml', INSTALLATION),
    ...{ source: {}, purpose: 'send', show: 0, share: { index: 0, of: 1 }, verify: false },
    ...wanted,
  });
}

async function onlyChunk(preparation: Preparation): Promise<PreparedChunk> {
  const chunks: PreparedChunk[] = [];
  for await (const chunk of preparation.chunks()) chunks.push(chunk);
  await preparation.close();
  expect(chunks).toHaveLength(1);
  return chunks[0]!;
}

/** Rows that are held back as duplicates, by their position. */
function duplicatesOf({ duplicates }: Preparation, chunk: PreparedChunk): number[] {
  const seen = createSeenKeys();
  const screened = screenChunk({ duplicates, inputs: ['rows.csv'], seen }, chunk, 0);
  seen.close();
  return screened.duplicates.map(([at]) => at);
}

const CSV = `Id,Code,Name,Phone,Client
1,a,Анна,79990001000,51
2,b,Boris,79990001001,52
x,c,Cleo,79990001002,53
`;

type Mapped = Exclude<Mode, 'create' | 'upsert'>;
const TABLE = tablesIn(import.meta.dirname, 'modes.yaml') as Readonly<
  Record<Mapped, { mapping: string; payloads: readonly object[] }>
>;
const MODES = Object.keys(TABLE) as Mapped[];

test('uuids and identifiers are told as they are, whatever they hold', async () => {
  const people = [
    ['1', 'a', 'plain'],
    ['2', 'Ключ "2"', 'идентификатор'],
    ['x', 'rejected', 'rejected'],
    ['3', 'back\\slash', 'a "quoted" \\ one'],
    ['4', 'b', 'plain too'],
  ];
  const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
  const { clients } = await onlyChunk(
    await prepare(
      `uuid: { column: Uuid }\nclient: { clientRoleId: { value: 1 }, timeZone: { value: UTC }, phones: [{ column: Phone, type: MOB }], fields: { ${FIELDS} } }\n`,
      `Id,Code,Uuid,Phone\n${people.map((cells) => `${cells.map(quoted).join(',')},79161234567\n`).join('')}`,
    ),
  );
  const sent = people.filter(([id]) => id !== 'x');
  expect(sent.map((_, index) => uuidOf(clients, index))).toEqual(sent.map(([, , uuid]) => uuid));
  expect(sent.map((_, index) => identifiersOf(clients, index))).toEqual(
    sent.map(([id, code]) => JSON.stringify({ id: Number(id), code })),
  );
});

describe.each(MODES)('mode %s', (mode) => {
  const yaml = `mode: ${mode}\n${TABLE[mode].mapping}\n`;

  test('gives a column of payloads, and one of identifiers', async () => {
    const preparation = await prepare(yaml, CSV);
    expect(preparation).toMatchObject({
      ...{ mapping: { mode, recovery: false }, identifierNames: ['id', 'code'] },
      duplicates: { by: mode === 'contacts' || mode === 'callbacks' ? [] : ['sync'] },
    });
    const chunk = await onlyChunk(preparation);
    const { clients } = chunk;
    const text = Buffer.from(clients.payload).toString();
    expect(JSON.parse(`[${text}]`)).toStrictEqual(TABLE[mode].payloads);
    expect([0, 1].map((index) => identifiersOf(clients, index))).toEqual([
      '{"id":1,"code":"a"}',
      '{"id":2,"code":"b"}',
    ]);
    let from = 0;
    for (const [index, end] of clients.ends.entries()) {
      const own = Buffer.from(clients.payload.subarray(from, end)).toString();
      expect(JSON.parse(own)).toStrictEqual(TABLE[mode].payloads[index]);
      from = end + 1;
    }
    const { rows: records } = readFactOf(chunk.read);
    expect(records.map(([row, , identifiers, status]) => [row, identifiers, status])).toEqual([
      [2, [1, 'a'], 0],
      [3, [2, 'b'], 0],
      [4, [null, 'c'], 1],
    ]);
    expect(records.map(([, uuid]) => uuid).slice(0, 2)).toEqual(
      [0, 1].map((index) => uuidOf(clients, index)),
    );
  });

  test('a check shows who is meant, and what would be done', async () => {
    const chunk = await onlyChunk(await prepare(yaml, CSV, { purpose: 'check', show: 1 }));
    const shown = chunk.shown.map(({ index, json }) => [index, JSON.parse(json) as unknown]);
    expect(shown).toStrictEqual([
      [0, { identifiers: { id: 1, code: 'a' }, ...TABLE[mode].payloads[0] }],
    ]);
    expect(chunk.clients.payload).toHaveLength(0);
    expect(chunk.kept.map(({ cells }) => cells[0])).toEqual(['x']);
  });

  test('a client that is named twice is a duplicate, unless several rows are usual', async () => {
    const preparation = await prepare(yaml, `${CSV}1,a,Again,79990001009,59\n`);
    const chunk = await onlyChunk(preparation);
    const several = mode === 'contacts' || mode === 'callbacks';
    expect(duplicatesOf(preparation, chunk)).toEqual(several ? [] : [3]);
    const asked = await prepare(
      `${yaml}duplicates: { by: ${several ? 'sync' : 'none'} }\n`,
      `${CSV}1,a,Again,79990001009,59\n`,
    );
    expect(duplicatesOf(asked, await onlyChunk(asked))).toEqual(several ? [3] : []);
  });

  test.each(['send', 'check'] as const)(
    'a row that needs too large a request is rejected on %s',
    async (purpose) => {
      const [id, name] = ['c'.repeat(1900), 'n'.repeat(1900)];
      const csv = `${CSV}8,${id},,79990001003,58\n9,d,${name},79990001004,59\n`;
      const chunk = await onlyChunk(await prepare(yaml, csv, { purpose }));
      // The name is part of these modes alone.
      const named = mode === 'update' || mode === 'callbacks';
      const large = chunk.problems.filter(({ code }) => code === 'too_large');
      const noDescription = mode === 'callbacks';
      expect(large.map(({ count, firstRow }) => [count, firstRow])).toEqual(
        noDescription ? [[1, 6]] : [[named ? 2 : 1, 5]],
      );
      expect(large[0]?.message).toMatch(/^The row needs a request of \d+ bytes, and 2000 are/);
    },
  );
});

test.each(['update', 'contacts'] as const)('mode %s tells duplicates by phone', async (mode) => {
  const yaml = `mode: ${mode}\n${TABLE[mode].mapping}\nduplicates: { by: phone }\n`;
  const preparation = await prepare(yaml, `${CSV}4,d,Dina,79990001001,54\n`);
  expect(preparation.duplicates.by).toEqual(['phone']);
  expect(duplicatesOf(preparation, await onlyChunk(preparation))).toEqual([3]);
});

const CREATING = `recovery: true
client:
  clientRoleId: { value: 1 }
  timeZone: { value: UTC }
  fields: { ${FIELDS}, name: Name }
  phones: [{ column: Phone, type: MOB }]
duplicates: { by: phone }
`;

test.each(['create', 'upsert'] as const)('mode %s may restore deleted clients', async (mode) => {
  const preparation = await prepare(`mode: ${mode}\n${CREATING}`, CSV);
  expect(preparation).toMatchObject({
    mapping: { mode, recovery: true },
    duplicates: duplicatesBy('phone'),
  });
  const { clients } = await onlyChunk(preparation);
  const payloads: unknown = JSON.parse(`[${Buffer.from(clients.payload).toString()}]`);
  expect(payloads).toMatchObject([
    { uuid: uuidOf(clients, 0), clientRoleId: 1, fields: { id: 1, code: 'a', name: 'Анна' } },
    { uuid: uuidOf(clients, 1), phones: [{ phoneNumber: '79990001001', type: 'MOB' }] },
  ]);
});

test('a mode that is wanted wins over that of the mapping', async () => {
  const preparation = await prepare(CREATING, CSV, { mode: 'delete' });
  expect(preparation).toMatchObject({
    mapping: { mode: 'delete', recovery: false },
    duplicates: duplicatesBy('sync'),
  });
  const { clients } = await onlyChunk(preparation);
  expect(Buffer.from(clients.payload).toString()).toBe('{},{}');
});

test('without an installation a check shows what it can', async () => {
  const setup = { purpose: 'check', show: 1, installation: null } as const;
  const chunk = await onlyChunk(
    await prepare(`mode: update\n${TABLE.update.mapping}\n`, CSV, setup),
  );
  expect(JSON.parse(chunk.shown[0]?.json ?? '')).toMatchObject({
    identifiers: {},
    fields: { id: '1', code: 'a', name: 'Анна' },
  });
});

test('dates and times of a workbook are times of callbacks as they are', async () => {
  const workbook = new ExcelJS.Workbook();
  const sheet = workbook.addWorksheet('Calls');
  sheet.addRow(['Id', 'Code', 'Name', 'Phone', 'At', 'Zone']);
  const at = new Date('2030-03-04T10:30:00Z');
  sheet.addRow([1, 'a', 'Anna', 79990001000, at, 'Europe/Samara']);
  sheet.addRow([2, 'b', 'Boris', 79990001001, new Date('2030-03-04'), 'Europe/Samara']);
  sheet.addRow([3, 'c', 'Cleo', 79990001002, '04.03.2030 10:30', 'Asia/Omsk']);
  sheet.getCell('E2').numFmt = 'dd.mm.yyyy hh:mm';
  sheet.getCell('E3').numFmt = 'dd.mm.yyyy';
  const yaml = `mode: callbacks\n${TABLE.callbacks.mapping}\n`.replace(
    "{ value: '2026-11-21T10:00:00+03:00' }",
    '{ column: At, pattern: dd.MM.yyyy HH:mm, timeZone: { column: Zone } }',
  );
  const bytes = Buffer.from(await workbook.xlsx.writeBuffer());
  const { clients, problems } = await onlyChunk(await prepare(yaml, bytes));
  const payloads: unknown = JSON.parse(`[${Buffer.from(clients.payload).toString()}]`);
  expect(payloads).toMatchObject([
    { callAt: '2030-03-04T10:30:00+04:00' },
    { callAt: '2030-03-04T10:30:00+06:00' },
  ]);
  expect(problems).toMatchObject([{ column: 'At', code: 'no_time', firstRow: 3 }]);
});

test('a check on the command line takes a mode, in threads of its own', async () => {
  const paths = { csv: 'cli.csv', mapping: 'cli.yaml', installation: 'cli-installation.yaml' };
  const texts = { csv: CSV, mapping: CREATING, installation: INSTALLATION };
  for (const key of ['csv', 'mapping', 'installation'] as const)
    await writeFile(join(folder, paths[key]), texts[key]);
  const { code, stdout } = await cardline([
    ...['check', join(folder, paths.csv), '-m', join(folder, paths.mapping)],
    ...['-i', join(folder, paths.installation), '--mode', 'delete', '--json'],
    ...['--out', join(folder, 'out')],
  ]);
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ rows: 3, clients: 2, rejected: 1 },
    sample: [{ identifiers: { id: 1, code: 'a' } }, { identifiers: { id: 2, code: 'b' } }],
  });
});
