import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type Client, isClient } from '../../src/core/client.js';
import { ConfigurationError, type ConfigMistake } from '../../src/core/errors.js';
import type { Installation } from '../../src/installation/installation.js';
import type { Mode } from '../../src/core/outcome.js';
import type { Cell } from '../../src/core/table.js';
import { compileMapping, type CompiledMapping, type MappedRow } from '../../src/mapping/compile.js';
import { loadMapping, type LoadOptions } from '../../src/mapping/mapping.js';

const folders: string[] = [];

afterAll(async () => {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

/** Writes a file of the given text into a folder of its own. */
export async function fileOf(text: string | Uint8Array, name = 'mapping.yaml'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cardline-mapping-'));
  folders.push(folder);
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

/** The faults that something is refused with, without the file name. */
export async function faultsOf(
  run: () => Promise<unknown>,
): Promise<Omit<ConfigMistake, 'file'>[]> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.mistakes.map(({ file: _, ...fault }) => fault);
  }
  throw new Error('nothing was refused');
}

export const CARD: Installation['card'] = {
  id: { type: 'Number', sync: true, required: false },
  name: { type: 'TextField', sync: false, required: false },
};

/** A card as tables write it: what is left out of a field is no. */
export type CardOf = Readonly<Record<string, Partial<Installation['card'][string]>>>;

export function cardOf(written: CardOf): Installation['card'] {
  const plain = { type: 'TextField', sync: false, required: false } as const;
  return Object.fromEntries(
    Object.entries(written).map(([name, field]) => [name, { ...plain, ...field }]),
  );
}

export interface Setup {
  readonly card?: Installation['card'] | undefined;
  readonly clientRoles?: readonly number[];
  readonly headers?: readonly string[];
  readonly readTable?: LoadOptions['readTable'];
  readonly mode?: Mode;
}

/** Loads and compiles a mapping. */
export async function compiled(yaml: string, setup: Setup = {}): Promise<CompiledMapping> {
  const { readTable, mode } = setup;
  const mapping = await loadMapping(await fileOf(yaml), { readTable, mode });
  return compileMapping({
    mapping,
    card: 'card' in setup ? setup.card : CARD,
    clientRoles: setup.clientRoles,
    headers: setup.headers ?? ['Id', 'Name', 'Phone'],
    file: 'leads.csv',
  });
}

/** The client that a row became, as it would be sent. */
export function clientOf(row: MappedRow): Client {
  if (row.status !== 'client' || !isClient(row.payload)) throw new Error(JSON.stringify(row));
  return sent(row.payload) as Client;
}

/** What a value is after its way as JSON. */
export function sent(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** A mapping with one field under test, `name`, from the columns Id, Name and Phone. */
export function withName(spec: string, rest = ''): string {
  return `client:
  clientRoleId: { value: 1 }
  timeZone: { value: UTC }
  fields:
    id: Id
    name: ${spec}
  phones: [{ column: Phone, type: MOB }]
${rest}`;
}

/** What a cell becomes under a value of the mapping: the value, or the code of its problem. */
export async function nameFrom(
  spec: string,
  setup: Setup = {},
): Promise<(cell: Cell) => FieldOrProblem> {
  const { map } = await compiled(withName(spec), setup);
  return (cell) => outcomeOf(map(['1', cell, '79161234567']));
}

type FieldOrProblem = { value: unknown } | { problem: string };

function outcomeOf(row: MappedRow): FieldOrProblem {
  if (row.status === 'client') return { value: clientOf(row).fields['name'] };
  return { problem: row.problems.map(({ code }) => code).join(',') };
}
