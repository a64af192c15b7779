import { stdin } from 'node:process';
import { UsageError } from '../../core/errors/errors.js';
import { refuseOtherThanFile } from '../../source/file.js';
import { spoolStandardInput } from '../../source/standard-input.js';
import type { InputFile } from '../../prepare/plan.js';
import { temporaryFolder } from './temporary-folder.js';

/** Input files as readable paths, for the length of a use. */
export interface Inputs {
  readonly files: readonly InputFile[];
  /** Removes what was copied. */
  release(): Promise<void>;
}

const STANDARD_INPUT = '-';

/**
 * Makes every input readable more than once: standard input is copied to a private file.
 * @throws UsageError when there is none, or standard input is named twice
 * @throws InputError for what is no regular file
 */
export async function takeInputs(names: readonly string[]): Promise<Inputs> {
  if (names.length === 0)
    throw new UsageError('Name at least one input file, or - for standard input.');
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new UsageError(`${twice} is named twice; name each input file once.`);
  for (const name of names) if (name !== STANDARD_INPUT) await refuseOtherThanFile(name);
  if (!names.includes(STANDARD_INPUT))
    return { files: names.map((name) => ({ path: name, name })), release: () => Promise.resolve() };
  const folder = await temporaryFolder();
  try {
    const copy = await spoolStandardInput(stdin, folder.path);
    const files = names.map((name) =>
      name === STANDARD_INPUT ? { path: copy, name: 'standard input' } : { path: name, name },
    );
    return { files, release: () => folder.remove() };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}
