import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { operations } from '../../../src/contract/operations.js';
import { isClient } from '../../../src/core/client.js';
import type { Cell } from '../../../src/core/table.js';
import { loadInstallation } from '../../../src/installation/installation.js';
import { compileMapping, type MappedRow } from '../../../src/mapping/compile.js';
import { loadMapping } from '../../../src/mapping/mapping.js';
import { pickupFileSchema } from '../../../src/nightly/pickup/schema.js';
import { readTable } from '../../../src/source/source.js';
import { root } from '../../kit/cardline.js';
import { fencesOf, markedTables, page, pages } from './pages.js';
import { testFolder } from '../../kit/folder.js';

/** What a part of a mapping or an installation is put into, to make it whole. */
const MAPPING = {
  client: {
    clientRoleId: { value: 1 },
    timeZone: { value: 'UTC' },
    fields: { id: 'Id' },
    phones: [{ value: '+79161234567', type: 'MOB' }],
  },
};
const INSTALLATION = {
  name: 'part',
  baseUrl: 'http://127.0.0.1:8080',
  card: { offerId: { type: 'Number', sync: true } },
};
const CARD = {
  id: { type: 'Number', sync: true, required: false },
  name: { type: 'TextField', sync: false, required: false },
} as const;

const folder = testFolder();

beforeAll(async () => {
  await cp(join(root, 'mappings/time-zones.csv'), join(folder, 'time-zones.csv'));
  await cp(join(root, 'mappings/hours/holidays.ics'), join(folder, 'holidays.ics'));
});

async function written(document: unknown): Promise<string> {
  const file = join(folder, 'example.yaml');
  await writeFile(file, typeof document === 'string' ? document : stringify(document));
  return file;
}

const mapping = async (document: unknown) => loadMapping(await written(document), { readTable });
const installation = async (document: unknown) => loadInstallation(await written(document));

const part = (code: string): object => parse(code) as object;

/** How the block below each mark is checked. */
const CHECKS: Readonly<Record<string, (code: string) => Promise<unknown>>> = {
  mapping,
  'mapping part': (code) => mapping({ ...MAPPING, ...part(code) }),
  installation,
  'installation part': (code) => installation({ ...INSTALLATION, ...part(code) }),
  'installation card': (code) => installation({ ...INSTALLATION, card: part(code) }),
  pickup: (code) => pickupFileSchema.parseAsync(part(code)),
  campaign: (code) => operations.createCampaign.body.parseAsync(part(code)),
};

const examples = pages.flatMap((of) =>
  fencesOf(of, 'yaml').map((fence) => ({ where: `${of.name}:${fence.line}`, ...fence })),
);

describe('every example', () => {
  it.each(examples)('$where loads as $mark', async ({ mark, code }) => {
    const check = CHECKS[mark];
    expect(check, `an example needs a mark: ${Object.keys(CHECKS).join(', ')}`).toBeDefined();
    await check?.(code);
  });
});

/** A cell of a table: a text in backticks, or nothing. */
const cellOf = (text: string): Cell => /^`(.*)`$/.exec(text)?.[1] ?? null;

function rowsOf(mark: string) {
  return markedTables(page('docs/mapping.md'), mark).flatMap(({ columns, rows }) =>
    rows.map((row) => ({
      written: cellOf(row[0] ?? '') ?? '',
      headers: columns.slice(1, -1),
      cells: row.slice(1, -1).map(cellOf),
      result: row.at(-1) ?? '',
    })),
  );
}

async function mapped(document: object, headers: readonly string[], cells: readonly Cell[]) {
  const request = { mapping: await mapping(document), card: CARD, headers: ['Id', ...headers] };
  return compileMapping(request).map(['1', ...cells]);
}

function nameOf(row: MappedRow): string {
  if (row.status !== 'client') return `!${row.problems.map(({ code }) => code).join()}`;
  if (!isClient(row.payload)) throw new Error('a client was expected');
  const { fields } = JSON.parse(JSON.stringify(row.payload)) as { fields: Record<string, string> };
  return fields['name'] ?? '';
}

describe('the tables of the mapping', () => {
  it.each(rowsOf('values'))('$written of $cells', async ({ written: value, ...given }) => {
    const fields = { id: 'Id', name: parse(value) as unknown };
    const document = { client: { ...MAPPING.client, fields } };
    expect(nameOf(await mapped(document, given.headers, given.cells))).toBe(
      cellOf(given.result) ?? '',
    );
  });

  it.each(rowsOf('where'))('$written of $cells', async ({ written: where, ...given }) => {
    const document = { ...MAPPING, where: parse(where) as unknown };
    const { status } = await mapped(document, given.headers, given.cells);
    expect(status).toBe({ taken: 'client', skipped: 'skipped' }[given.result]);
  });
});
