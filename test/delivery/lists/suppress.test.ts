import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readFactOf } from '../../../src/core/facts.js';
import { openPreparation } from '../../../src/prepare/preparation.js';
import type { Mode, Problem } from '../../../src/core/outcome.js';
import { testFolder } from '../../kit/folder.js';
import { tablesIn } from '../../kit/tables.js';

const folder = testFolder();
let cases = 0;

type Row = readonly [id: number, phone?: string, second?: string, raw?: string];

interface Setup {
  readonly lists: readonly object[];
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly mapping?: 'create' | 'update' | 'enqueue' | 'callbacks';
  readonly mode?: Mode;
}

/** What the file says of its keys. */
interface Case extends Setup {
  readonly case: string;
  readonly rows?: readonly Row[];
  readonly become?: readonly object[];
  readonly warns?: string;
  readonly refused?: string;
}

const { mappings: MAPPINGS, cases: CASES } = tablesIn(import.meta.dirname, 'suppress.yaml') as {
  mappings: Readonly<Record<'create' | 'update' | 'enqueue' | 'callbacks', string>>;
  cases: readonly Case[];
};

interface Mapped {
  readonly status: string;
  readonly problems: readonly Problem[];
  readonly remarks: readonly Problem[];
  readonly phones: readonly string[];
  readonly hasUuid: boolean;
}

const STATUS = ['client', 'rejected', 'skipped'] as const;

/** What rows become under lists; and what is said before. */
async function rowsUnder({ lists, files, mapping = 'create', mode }: Setup, rows: readonly Row[]) {
  const at = (name: string): string => join(folder, `${++cases}-${name}`);
  const [input, map, installation] = [at('rows.csv'), at('mapping.yaml'), at('installation.yaml')];
  const lines = rows.map(
    ([id, phone = '', second = '', raw = '']) => `${id},${phone},${second},${raw}`,
  );
  writeFileSync(input, ['Id,Phone,Second,Raw', ...lines, ''].join('\n'));
  writeFileSync(map, MAPPINGS[mapping]);
  writeFileSync(
    installation,
    `name: demo\nbaseUrl: http://127.0.0.1:1\ncard: { id: { type: Number, sync: true } }\nsuppress: ${JSON.stringify(lists)}\n`,
  );
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const preparation = await openPreparation({
    ...{ mode, mapping: map, installation, source: {}, show: 0, verify: false },
    inputs: [{ path: input, name: 'rows.csv' }],
    purpose: 'send',
    share: { index: 0, of: 1 },
  });
  const mapped: Mapped[] = [];
  for await (const chunk of preparation.chunks()) {
    const sent = JSON.parse(`[${Buffer.from(chunk.clients.payload).toString()}]`) as {
      phones?: { phoneNumber: string }[];
    }[];
    const places = [...chunk.clients.at];
    for (const [place, [, uuid, , status, problems = [], remarks]] of readFactOf(
      chunk.read,
    ).rows.entries()) {
      const phones =
        sent[places.indexOf(place)]?.phones?.map(({ phoneNumber }) => phoneNumber) ?? [];
      const row = { status: STATUS[status], problems, remarks: remarks ?? [], phones };
      mapped.push({ ...row, hasUuid: uuid !== null });
    }
  }
  await preparation.close();
  return { rows: mapped, warnings: preparation.warnings };
}

const listed = (problems: readonly Problem[]): string =>
  problems.map(({ column, code }) => `${column ?? ''}: ${code}`).join(', ');

describe('numbers that must not be called', () => {
  it.each(CASES)(
    '$case',
    async ({ rows = [[1, '2025550101']], become, warns, refused, ...one }) => {
      const reading = rowsUnder(one, rows);
      if (refused !== undefined) return expect(reading).rejects.toThrow(new RegExp(refused));
      const { rows: mapped, warnings } = await reading;
      const told = mapped.map(({ problems, remarks, ...row }) => ({
        ...{ ...row, problems: listed(problems), remarks: listed(remarks) },
        says: [...problems, ...remarks][0]?.message,
      }));
      expect(told).toMatchObject(become ?? []);
      const said = warnings.map(({ message }) => message);
      expect(said).toEqual(warns === undefined ? [] : [expect.stringContaining(warns)]);
    },
  );
});

describe('the formats of a list', () => {
  const numbers = Array.from({ length: 300 }, (_, at) => 2_025_550_000 + at * 37);
  const text = String;
  const written = {
    'n.txt': numbers
      .map((number) => `+1 (${text(number).slice(0, 3)}) ${text(number).slice(3)}`)
      .join('\r\n'),
    'f.txt': numbers
      .map((number, at) =>
        at % 2 ? text(number) : `${text(number).slice(0, 3)},${text(number).slice(3)}`,
      )
      .join('\n'),
    'c.csv': ['Name;Phone', ...numbers.map((number) => `x;1-${number}`)].join('\n'),
  };
  const lists = (packed = '') => [
    { name: 'n', file: `n.txt${packed}`, format: 'numbers' },
    { name: 'f', file: `f.txt${packed}`, format: 'ftc' },
    { name: 'c', file: `c.csv${packed}`, format: 'csv', column: 'Phone', country: 'US' },
  ];

  it('give the same verdicts, packed or not', async () => {
    const packed = Object.fromEntries(
      Object.entries(written).map(([name, content]) => [`${name}.gz`, gzipSync(content)]),
    );
    const rows = Array.from({ length: 600 }, (_, at): Row => [
      at,
      text(2_025_550_000 + at * 18 + (at % 3)),
    ]);
    const listed = new Set(numbers.map(text));
    for (const setup of [
      { lists: lists(), files: written },
      { lists: lists('.gz'), files: packed },
    ]) {
      const { rows: mapped, warnings } = await rowsUnder(setup, rows);
      expect(warnings).toEqual([]);
      for (const [at, [, phone]] of rows.entries()) {
        const { status, problems } = mapped[at]!;
        expect(status).toBe(listed.has(phone!) ? 'skipped' : 'client');
        if (status === 'skipped') expect(problems[0]!.message).toContain('"n", "f", "c"');
      }
    }
  });
});
