import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { readFactOf } from '../../../src/core/facts.js';
import { openPreparation } from '../../../src/prepare/preparation.js';
import type { Mode } from '../../../src/core/mode.js';
import type { Problem } from '../../../src/core/problem.js';

const folder = mkdtempSync(join(tmpdir(), 'cardline-suppress-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
let cases = 0;

const MAPPING = `client:
  clientRoleId: { value: 1 }
  timeZone: { value: UTC }
  fields: { id: Id }
  phones:
    - { column: Phone, type: MOB, transform: [{ phone: { country: US } }] }
    - { column: Second, type: HOME, transform: [{ phone: { country: US, format: digits } }] }
    - { column: Raw, type: WORK }
`;
const UPDATE = `mode: update
client:
  fields: { id: Id }
  phones: [{ column: Phone, type: MOB, transform: [{ phone: { country: US } }] }]
`;
const ENQUEUE = `mode: enqueue
client: { fields: { id: Id } }
phones: [{ column: Phone, transform: { phone: { country: US } } }, Second]
campaign: { id: 1 }
`;
const CALLBACKS = `mode: callbacks
client: { fields: { id: Id } }
callback:
  name: { value: call }
  description: { value: back }
  phone: { column: Phone, transform: { phone: { country: US } } }
  operatorId: { value: 7 }
  callAt: { value: '2035-01-01T10:00:00+00:00' }
  callAutomatically: true
campaign: { id: 1 }
`;

type Row = readonly [id: number, phone?: string, second?: string, raw?: string];

interface Setup {
  readonly lists: string;
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly mapping?: string;
  readonly mode?: Mode;
}

interface Mapped {
  readonly status: string;
  readonly problems: readonly Problem[];
  readonly remarks: readonly Problem[];
  readonly phones: readonly string[];
}

const STATUS = ['client', 'rejected', 'skipped'] as const;

/** What rows become under lists; and what is said before. */
async function rowsUnder({ lists, files, mapping = MAPPING, mode }: Setup, rows: readonly Row[]) {
  const at = (name: string): string => join(folder, `${++cases}-${name}`);
  const [input, map, installation] = [at('rows.csv'), at('mapping.yaml'), at('installation.yaml')];
  const lines = rows.map(
    ([id, phone = '', second = '', raw = '']) => `${id},${phone},${second},${raw}`,
  );
  writeFileSync(input, ['Id,Phone,Second,Raw', ...lines, ''].join('\n'));
  writeFileSync(map, mapping);
  writeFileSync(
    installation,
    `name: demo\nbaseUrl: http://127.0.0.1:1\ncard: { id: { type: Number, sync: true } }\nsuppress:\n${lists}`,
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
    for (const [place, [, , , status, problems = [], remarks]] of readFactOf(
      chunk.read,
    ).rows.entries()) {
      const phones =
        sent[places.indexOf(place)]?.phones?.map(({ phoneNumber }) => phoneNumber) ?? [];
      mapped.push({ status: STATUS[status], problems, remarks: remarks ?? [], phones });
    }
  }
  await preparation.close();
  return { rows: mapped, warnings: preparation.warnings };
}

const mentions = (problems: readonly Problem[]): string[] =>
  problems.map(({ column, code }) => `${column ?? ''}: ${code}`);

describe('numbers that must not be called', () => {
  const files = {
    'a.txt': '2025550101\n2025550102\n',
    'b.txt': '+12025550101\n',
    'c.txt': '1 (202) 555-0101\n',
  };
  const three = `  - { name: a, file: a.txt, format: numbers, country: US }
  - { name: b, file: b.txt, format: numbers }
  - { name: c, file: c.txt, format: numbers, country: US }
`;

  it('leave out a row, which names all the lists that it is on', async () => {
    const { rows } = await rowsUnder({ lists: three, files }, [
      [1, '2025550101'],
      [2, '2025550103'],
    ]);
    expect(rows.map(({ status }) => status)).toEqual(['skipped', 'client']);
    expect(mentions(rows[0]!.problems)).toEqual(['Phone: suppressed']);
    expect(rows[0]!.problems[0]!.message).toBe(
      'The row has a phone that must not be called: it is on the lists "a", "b", "c".',
    );
  });

  it('are left out of a row that has another one, whatever is sent', async () => {
    const { rows } = await rowsUnder({ lists: three, files }, [
      [1, '2025550103', '202 555 0102'],
      [2, '2025550101', '2025550103'],
      [3, '', '', '(202) 555-0101'],
      [4, '2025550103', '', '555'],
    ]);
    expect(rows.map(({ phones }) => phones)).toEqual([
      ['+12025550103'],
      ['12025550103'],
      [],
      ['+12025550103', '555'],
    ]);
    expect(rows.map(({ remarks }) => mentions(remarks))).toEqual([
      ['Second: suppressed'],
      ['Phone: suppressed'],
      [],
      ['Raw: not_compared'],
    ]);
    expect(rows[0]!.remarks[0]!.message).toBe('Left out: the phone is on the list "a".');
    expect(rows[2]!.status).toBe('skipped');
  });

  it('leave out the whole row where the list wants it, also one with mistakes', async () => {
    const lists = '  - { name: a, file: a.txt, format: numbers, country: US, scope: row }\n';
    const { rows } = await rowsUnder({ lists, files }, [
      [1, '2025550103', '2025550102'],
      [2, '2025550102', 'nobody'],
      [3, 'nobody'],
    ]);
    expect(rows.map(({ status }) => status)).toEqual(['skipped', 'skipped', 'rejected']);
  });

  it('count in updates and callbacks, and not where nobody is called', async () => {
    const setup = { lists: three, files };
    const sample: Row[] = [
      [1, '2025550101'],
      [2, '2025550103'],
    ];
    for (const mapping of [UPDATE, ENQUEUE, CALLBACKS]) {
      const { rows } = await rowsUnder({ ...setup, mapping }, sample);
      expect(rows.map(({ status }) => status)).toEqual(['skipped', 'client']);
    }
    const { rows } = await rowsUnder({ ...setup, mode: 'delete' }, sample);
    expect(rows.map(({ status }) => status)).toEqual(['client', 'client']);
  });
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
  const lists = `  - { name: n, file: n.txt, format: numbers }
  - { name: f, file: f.txt, format: ftc }
  - { name: c, file: c.csv, format: csv, column: Phone, country: US }
`;

  it('give the same verdicts, packed or not', async () => {
    const packed = Object.fromEntries(
      Object.entries(written).map(([name, content]) => [`${name}.gz`, gzipSync(content)]),
    );
    const rows = Array.from({ length: 600 }, (_, at): Row => [
      at,
      text(2_025_550_000 + at * 18 + (at % 3)),
    ]);
    const listed = new Set(numbers.map(text));
    const packedLists = lists.replaceAll('.txt', '.txt.gz').replaceAll('.csv', '.csv.gz');
    for (const setup of [
      { lists, files: written },
      { lists: packedLists, files: packed },
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

describe('a list that cannot be relied on', () => {
  const refusal = async (lists: string, files: Setup['files']): Promise<string> => {
    try {
      await rowsUnder({ lists, files }, [[1, '2025550101']]);
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };

  it('stops everything when it is too old, by its name or its first line', async () => {
    const files = {
      'us-2020-01-31.txt': '2025550101\n',
      'dated.txt': '# of 2020-01-31\n2025550101\n',
      'new.txt': '2025550101\n',
    };
    const list = (file: string, rest = ''): string =>
      `  - { name: us, file: ${file}, format: ftc, maxAge: 31d${rest} }\n`;
    for (const file of ['us-2020-01-31.txt', 'dated.txt'])
      expect(await refusal(list(file), files)).toMatch(
        /List "us" \(.*\): it is \d+ days old, and maxAge allows 31 days\. .*\nNothing was sent\.$/,
      );
    const { rows, warnings } = await rowsUnder({ lists: list('dated.txt', ', old: warn'), files }, [
      [1, '2025550101'],
    ]);
    expect(rows[0]!.status).toBe('skipped');
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('days old')]);
    expect(await refusal(list('new.txt'), files)).toBe('');
  });

  it('stops everything when it is missing, or holds no number', async () => {
    const missing = '  - { name: gone, file: gone.txt, format: numbers }\n';
    expect(await refusal(missing, {})).toMatch(
      /List "gone" .* cannot be read or compiled \(ENOENT\)/,
    );
    const words = '  - { name: words, file: words.txt, format: numbers }\n';
    expect(await refusal(words, { 'words.txt': 'one\ntwo\n' })).toContain(
      'none of its 2 lines holds a phone number',
    );
    const column = '  - { name: c, file: cols.csv, format: csv, column: Fone, country: US }\n';
    expect(await refusal(column, { 'cols.csv': 'Name,Phone\nx,2025550101\n' })).toContain(
      'no column "Fone"',
    );
  });

  it('says how many lines hold no number', async () => {
    const lists = '  - { name: some, file: some.txt, format: ftc }\n';
    const { warnings } = await rowsUnder(
      { lists, files: { 'some.txt': '2025550101\nx\n\n12\n' } },
      [[1, '2025550101']],
    );
    expect(warnings[0]!.message).toContain(
      '2 of its lines hold no phone number, the first of them is line 2',
    );
  });
});
