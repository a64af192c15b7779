import { closeSync, fsyncSync, writeSync } from 'node:fs';
import { makeFolder, openToAppend, readSmallFile } from '../files/regular-file.js';
import { dirname, basename, resolve } from 'node:path';
import { z } from 'zod';
import { codeOf, ConfigurationError, type ConfigMistake } from '../core/errors.js';
import type { Correction, Corrections } from '../core/table.js';
import type { InputFile } from '../prepare/plan.js';

/** A correction as it is put on record. */
export type NewCorrection = Readonly<z.input<typeof correctionLine>>;

export interface AppendCorrectionOptions {
  readonly corrections: string;
  readonly correction: NewCorrection;
}

/**
 * Adds a correction to a file for its owner alone, and makes it if need be. It is on the disk when this returns. A
 * correction that gives the cell what it had takes an earlier one back.
 * @throws NotRegularError, and what the file system says
 */
export function appendCorrection({ corrections: file, correction }: AppendCorrectionOptions): void {
  makeFolder(dirname(file));
  const descriptor = openToAppend(file);
  try {
    writeSync(descriptor, `${JSON.stringify(correctionLine.parse(correction))}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** They are made one by one, by a person. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Mistakes that are listed: a file of another kind would have one in each line. */
const MAX_LISTED = 20;

/**
 * Reads the corrections for these inputs. The last line for a cell counts; one that gives the cell what it had takes the
 * correction back.
 * @throws ConfigurationError with every line that is wrong
 */
export async function loadCorrections(
  file: string | undefined,
  inputs: readonly InputFile[],
): Promise<Corrections | undefined> {
  if (file === undefined) return undefined;
  const text = await readText(file);
  const mistakes: ConfigMistake[] = [];
  const cells = new Map<string, Correction>();
  for (const [at, source] of text.split('\n').entries()) {
    if (source.trim() === '') continue;
    const read = readLine(source, file, inputs);
    const line = at + 1;
    if (typeof read === 'string') mistakes.push({ file, line, message: read });
    else
      cells.set(JSON.stringify([read.input, read.sheet, read.row, read.column]), { ...read, line });
  }
  if (mistakes.length > 0) throw new ConfigurationError(mistakes.slice(0, MAX_LISTED));
  const changed = [...cells.values()].filter(({ was, becomes }) => was !== becomes);
  return changed.length === 0 ? undefined : { file, cells: changed };
}

async function readText(file: string): Promise<string> {
  try {
    const bytes = await readSmallFile(file, MAX_BYTES);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const reason =
      codeOf(error) === 'ENOENT' ? 'there is no such file of corrections.' : `${error.message}.`;
    throw new ConfigurationError([{ file, message: reason }]);
  }
}

function readLine(
  source: string,
  file: string,
  inputs: readonly InputFile[],
): Omit<Correction, 'line'> | string {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    return 'this is not JSON. Remove the line, or correct the cell anew.';
  }
  if (ofLaterVersion.safeParse(value).success)
    return 'a later version of cardline wrote this line. Update it.';
  const found = correctionLine.safeParse(value);
  if (!found.success) {
    const [issue] = found.error.issues;
    const where = issue && issue.path.length > 0 ? `"${issue.path.join('.')}": ` : '';
    return `${where}${issue?.message ?? 'this is no correction'}.`;
  }
  const { sheet, row, column, was, becomes } = found.data;
  const input = inputOf(found.data, file, inputs);
  if (typeof input === 'string') return input;
  const [held, counts] = [was === '' ? null : was, becomes === '' ? null : becomes];
  return { input, sheet, row, column, was: held, becomes: counts };
}

/** The input that a line names: by its name here, by its path from the corrections, or by the name of its file alone. */
function inputOf(
  { file: name }: z.output<typeof correctionLine>,
  corrections: string,
  inputs: readonly InputFile[],
): number | string {
  const path = resolve(dirname(corrections), name);
  const ways: ((input: InputFile) => boolean)[] = [
    (input) => input.name === name,
    (input) => resolve(input.path) === path,
    (input) => basename(input.name) === name,
  ];
  for (const isMeant of ways) {
    const found = inputs.flatMap((input, at) => (isMeant(input) ? [at] : []));
    if (found.length > 1) return `several inputs are called "${name}". Name the path of one.`;
    if (found[0] !== undefined) return found[0];
  }
  return `"${name}" is none of the inputs.`;
}

const VERSION = 1;

const cell = z.string().nullable();

const correctionLine = z.strictObject({
  version: z.literal(VERSION).default(VERSION),
  /** The input: its name or path, as the command has it, or from the folder of the corrections. */
  file: z.string().min(1),
  /** Absent or `null` where the input has one sheet alone. */
  sheet: z.string().min(1).nullable().default(null),
  row: z.int().min(1),
  column: z.string().trim().min(1),
  /** What the file holds; `null` for an empty cell. */
  was: cell,
  /** What counts in its place. */
  becomes: cell,
});

const ofLaterVersion = z.object({ version: z.number().gt(VERSION) });
