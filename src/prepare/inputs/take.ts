import { symlink } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { stdin } from 'node:process';
import { asOneError, ConfigurationError, InputError, UsageError } from '../../core/errors.js';
import {
  type TemporaryFolder,
  temporaryFolder,
  isUtf8,
  pathsOf,
  shownName,
} from '../../files/regular-file.js';
import { refuseOtherThanFile, spoolStandardInput } from '../../source/source.js';
import type { InputFile, PreparePlan } from '../plan.js';

/** Takes the inputs of a request. Where one cannot be, what is wrong with the other files is said with it. */
export async function takeInputsOf(
  request: Pick<PreparePlan, 'mapping' | 'installation' | 'mode'> & {
    readonly files: readonly string[];
    readonly names?: readonly string[] | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<Inputs> {
  try {
    return await takeInputs(request.files, request.names, request.signal);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw asOneError([...(await mistakesOf(request)), error]);
  }
}

/** Loaded here alone: an import reads both in another thread. */
async function mistakesOf({
  mapping,
  installation,
  mode,
}: Parameters<typeof takeInputsOf>[0]): Promise<ConfigurationError[]> {
  const { loadMapping } = await import('../../mapping/mapping.js');
  const { loadInstallation } = await import('../../installation/load.js');
  const { lookupTable } = await import('../lookup-table.js');
  const loading = [
    ...(installation === undefined ? [] : [loadInstallation(installation)]),
    loadMapping(mapping, { readTable: lookupTable, mode }),
  ];
  const loaded = await Promise.allSettled(loading);
  const reasons = loaded.map((one): unknown => (one.status === 'rejected' ? one.reason : null));
  return reasons.filter((reason) => reason instanceof ConfigurationError);
}

interface Inputs {
  readonly files: readonly InputFile[];
  release(): Promise<void>;
}

const STANDARD_INPUT = '-';

/**
 * Makes every input readable more than once: standard input is copied to a private file.
 * @param called names under which the person knows the files, where these are others
 * @throws UsageError when there is none, or standard input is named twice
 * @throws InputError for what is no regular file; StopRun when the signal is aborted
 */
export async function takeInputs(
  names: readonly string[],
  called: readonly string[] = names,
  signal?: AbortSignal,
): Promise<Inputs> {
  if (names.length === 0)
    throw new UsageError('Name at least one input file, or - for standard input.');
  let made: Promise<TemporaryFolder> | undefined;
  const folder = (): Promise<TemporaryFolder> => (made ??= temporaryFolder());
  const release = async (): Promise<void> => {
    await (await made)?.remove();
  };
  try {
    const files: InputFile[] = [];
    for (const [index, name] of names.entries())
      files.push(
        name === STANDARD_INPUT ? { path: '', name } : await readableFile(name, index, folder),
      );
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined)
      throw new UsageError(`${twice} is named twice; name each input file once.`);
    for (const { name, path } of files)
      if (name !== STANDARD_INPUT) await refuseOtherThanFile(path, name);
    // Behind the others: whoever named one wrongly is not kept waiting.
    const at = names.indexOf(STANDARD_INPUT);
    if (at >= 0) {
      const path = await spoolStandardInput(stdin, (await folder()).path, signal);
      files[at] = { path, name: 'standard input' };
    }
    const named = files.map((file, index) => ({
      ...file,
      name: called[index] === names[index] ? file.name : (called[index] ?? file.name),
    }));
    return { files: named, release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** A name that is no UTF-8 is read through a link of one that is. */
async function readableFile(
  name: string,
  index: number,
  folder: () => Promise<TemporaryFolder>,
): Promise<InputFile> {
  const paths = await pathsOf(name);
  const [path = Buffer.from(name)] = paths;
  if (paths.length > 1)
    throw new UsageError(
      `${name} may be one of ${paths.length} files: ${paths.map(shownName).join(', ')}. Their names are no UTF-8 and cannot be told apart here. Rename one of them.`,
    );
  if (isUtf8(path)) return { path: name, name };
  const link = join((await folder()).path, `input-${index}`);
  const start = Buffer.from(`${process.cwd()}${sep}`);
  await symlink(path.at(0) === start.at(0) ? path : Buffer.concat([start, path]), link);
  return { path: link, name };
}
