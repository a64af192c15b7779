import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/core/table.js';
import { meantText } from '../../src/prepare/inputs/seen.js';
import { openSource } from '../../src/source/source.js';
import { rowsOf, testFolder } from './files.js';

const folder = testFolder();
const lines = (...records: unknown[]) => records.map((one) => `${JSON.stringify(one)}\n`).join('');
const jsonl = async (content: string | Uint8Array) => openSource(await folder.write(content));
const all = async (content: string) => {
  const rows: Row[] = [];
  for await (const batch of (await jsonl(content)).batches()) rows.push(...batch);
  return rows;
};

describe('JSON Lines', () => {
  it('finds repeated names alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (record) => {
        const rows = await all(lines({ id: 1, ':': '":', ...record }));
        expect(rows[1]!.defects ?? []).toEqual(
          Object.keys(record).some((name) => name.includes('.')) ? expect.anything() : [],
        );
      }),
      { numRuns: 200 },
    );
  });

  it('loses no text, whatever the records hold', async () => {
    const record = fc.dictionary(fc.string({ minLength: 1 }), fc.string(), {
      minKeys: 1,
      maxKeys: 5,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 5 }), async (records) => {
        const [header, ...rows] = await rowsOf(await jsonl(lines(...records)));
        for (const [at, [, cells]] of rows.entries())
          for (const [name, value] of Object.entries(records[at]!))
            expect(cells[header![1].indexOf(meantText(name) || null)]).toBe(
              meantText(value) || null,
            );
      }),
      { numRuns: 100 },
    );
  });
});

describe('Parquet', () => {
  const parquet = async (options: Parameters<typeof parquetWriteBuffer>[0]) =>
    openSource(await folder.write(new Uint8Array(parquetWriteBuffer(options))));

  it('shows dates, times and numbers as a sheet does', async () => {
    const source = await parquet({
      columnData: [
        { name: 'when', data: [new Date('2024-01-02T03:04:05Z'), null], type: 'TIMESTAMP' },
        { name: 'exact', data: [new Date('2024-01-02T03:04:05.678Z'), null], type: 'TIMESTAMP' },
        { name: 'big', data: [12345678901234567n, null], type: 'INT64' },
        { name: 'float', data: [0.1, null], type: 'FLOAT' },
        { name: 'double', data: [0.1 + 0.2, null], type: 'DOUBLE' },
        { name: 'yes', data: [true, null], type: 'BOOLEAN' },
        { name: 'none', data: ['', null], type: 'STRING' },
      ],
    });
    expect(await rowsOf(source)).toEqual([
      [0, ['when', 'exact', 'big', 'float', 'double', 'yes', 'none']],
      [
        1,
        [
          '2024-01-02T03:04:05Z',
          '2024-01-02T03:04:05.678Z',
          '12345678901234567',
          '0.1',
          '0.3',
          'true',
          null,
        ],
      ],
      [2, [null, null, null, null, null, null, null]],
    ]);
  });

  it('has nested values by dotted names, and rows of all groups', async () => {
    const data = Array.from({ length: 2_500 }, (_, at) => ({ city: `c${at}`, zip: [at, at + 1] }));
    const source = await parquet({
      columnData: [{ name: 'address', data, type: 'JSON' }],
      rowGroupSize: 1_000,
    });
    const rows = await rowsOf(source);
    expect(rows[0]).toEqual([0, ['address.city', 'address.zip.0', 'address.zip.1']]);
    expect(rows.at(-1)).toEqual([2_500, ['c2499', '2499', '2500']]);
    await source.verify();
  });

  it('shows values within others as those of columns', async () => {
    const [optional, repeated] = ['OPTIONAL', 'REPEATED'] as const;
    const source = await parquet({
      schema: [
        { name: 'root', num_children: 2 },
        { name: 'order', repetition_type: optional, num_children: 4 },
        {
          ...{ name: 'price', repetition_type: optional, type: 'INT64' },
          ...{ converted_type: 'DECIMAL', precision: 18, scale: 2 },
        },
        { name: 'id', repetition_type: optional, type: 'INT64' },
        { name: 'rate', repetition_type: optional, type: 'FLOAT' },
        {
          ...{ name: 'at', repetition_type: optional, type: 'INT64' },
          logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
          converted_type: 'TIMESTAMP_MILLIS',
        },
        { name: 'sums', repetition_type: optional, num_children: 1, converted_type: 'LIST' },
        { name: 'list', repetition_type: repeated, num_children: 1 },
        {
          ...{ name: 'element', repetition_type: optional, type: 'INT64' },
          ...{ converted_type: 'DECIMAL', precision: 18, scale: 3 },
        },
      ],
      columnData: [
        {
          name: 'order',
          data: [
            {
              ...{ price: 123456789012345675n, id: 9007199254740993n, rate: 0.1 },
              at: new Date('2024-01-02T03:04:05Z'),
            },
          ],
        },
        { name: 'sums', data: [[9007199254740.25, null]] },
      ],
    });
    expect(await rowsOf(source)).toEqual([
      [0, ['order.price', 'order.id', 'order.rate', 'order.at', 'sums.0', 'sums.1']],
      [
        1,
        [
          '1234567890123456.75',
          '9007199254740993',
          '0.1',
          '2024-01-02T03:04:05Z',
          '9007199254740.25',
          null,
        ],
      ],
    ]);
  });

  it('keeps the digits of numbers in JSON, and tells of names that stand twice there', async () => {
    const written = new Uint8Array(
      parquetWriteBuffer({
        codec: 'UNCOMPRESSED',
        columnData: [{ name: 'json', data: [{ id: 'x'.repeat(18), a: 1, b: 2 }], type: 'JSON' }],
      }),
    );
    const bytes = Buffer.from(written)
      .toString('latin1')
      .replaceAll(`"${'x'.repeat(18)}"`, '12345678901234567890')
      .replaceAll('"b"', '"a"');
    const source = await openSource(await folder.write(Buffer.from(bytes, 'latin1')));
    const rows: Row[] = [];
    for await (const batch of source.batches()) rows.push(...batch);
    expect(rows[0]?.cells).toEqual(['json.id', 'json.a']);
    expect(rows[1]).toMatchObject({
      cells: ['12345678901234567890', '1'],
      defects: [{ column: 1, code: 'ambiguous_name' }],
    });
  });

  it('of no rows has its columns', async () => {
    const source = await parquet({ columnData: [{ name: 'a', data: [], type: 'STRING' }] });
    expect(await rowsOf(source)).toEqual([[0, ['a']]]);
  });

  it('that is damaged is refused with its name', async () => {
    const bytes = new Uint8Array(
      parquetWriteBuffer({
        columnData: [{ name: 'a', data: ['Petrov'.repeat(99)], type: 'STRING' }],
      }),
    );
    bytes.fill(0xff, 4, 60);
    const file = await folder.write(bytes);
    const error: unknown = await openSource(file).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'broken_parquet', place: { file } });
  });
});
