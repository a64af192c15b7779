import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadInstallation } from '../../src/installation/installation.js';
import { loadMapping } from '../../src/mapping/mapping.js';
import { CARD, type CardOf, cardOf, compiled, faultsOf, fileOf, withName } from './files.js';
import { tablesIn } from '../kit/tables.js';

/** What is refused, and with which faults: what the file says of its keys. */
interface Case {
  readonly case?: string;
  readonly mapping?: string;
  readonly name?: string;
  readonly rest?: string;
  readonly installation?: string;
  readonly center?: string;
  readonly card?: CardOf;
  readonly roles?: readonly number[];
  readonly headers?: readonly string[];
  readonly table?: string[][];
  readonly faults: string;
}

const CASES = tablesIn(import.meta.dirname, 'faults.yaml') as Readonly<
  Record<string, readonly Case[]>
>;

const CENTER = `name: demo
baseUrl: https://cc.example/base//
card:
  id: { type: Number, sync: true }
`;

async function refuse(one: Case): Promise<unknown> {
  const center = one.installation ?? (one.center && `${CENTER}${one.center}\n`);
  if (center !== undefined) return loadInstallation(await fileOf(center));
  const { mapping, name = 'Name', rest, card, roles, headers, table } = one;
  return compiled(mapping ?? withName(name, rest), {
    card: card ? cardOf(card) : CARD,
    ...(roles ? { clientRoles: roles } : {}),
    ...(headers ? { headers } : {}),
    ...(table ? { readTable: () => Promise.resolve(table) } : {}),
  });
}

/** Faults, each in a line as it is written in the table. */
async function linesOf(run: () => Promise<unknown>): Promise<string> {
  const lines = (await faultsOf(run)).map(({ line, column, path, message, suggestion }) => {
    const place = line === undefined ? '' : `${line}:${column ?? ''} `;
    const of = path === undefined ? '' : `${path}: `;
    return `${place}${of}${message}${suggestion === undefined ? '' : ` → ${suggestion}`}\n`;
  });
  return lines.join('');
}

describe.each(Object.entries(CASES))('%s', (_kind, cases) => {
  const named = cases.map((one) => [one.case ?? one.name ?? one.rest ?? one.center, one] as const);
  it.each(named)('%s', async (_name, one) => {
    expect(await linesOf(() => refuse(one))).toBe(one.faults);
  });
});

describe('a file that cannot be read', () => {
  const load = (text: string | Uint8Array) => linesOf(async () => loadMapping(await fileOf(text)));

  it('is not there, or a folder', async () => {
    const folder = join(dirname(await fileOf('')), 'folder');
    await mkdir(folder);
    expect(await linesOf(() => loadMapping(folder))).toBe(
      'this is a folder. → Name the file inside it.\n',
    );
    expect(await linesOf(() => loadMapping(join(folder, 'nowhere.yaml')))).toBe(
      'there is no such file. → Check the name and the folder.\n',
    );
  });

  it.each([
    ['', 'the file is empty.'],
    ['\n\n', 'the file is empty.'],
    [Buffer.from('client: "\xcf\xf0"', 'latin1'), 'the file is not text in UTF-8. → Save it'],
    ['a;b;c\n'.repeat(1_000_000), 'the file is larger than 4 MiB.'],
  ])('is no text that could be one (%#)', async (text, fault) => {
    expect(await load(text)).toContain(fault);
  });
});
