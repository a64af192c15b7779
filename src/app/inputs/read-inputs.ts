import { statSync } from 'node:fs';
import type { Corrections } from '../../core/table/correction.js';
import type { SourceOptions } from '../../core/table/source.js';
import {
  type InputCorrections,
  ofInput,
  placedCorrections,
} from '../../prepare/inputs/corrections.js';
import type { InputFile, OpenedInput } from '../../prepare/plan.js';

/** An input of a run, as it was when the run began. */
export interface ReadInput {
  readonly file: InputFile;
  readonly input: OpenedInput;
  readonly source: SourceOptions;
  /** Whether the file has been changed since; `null`: it could not be looked at. */
  readonly mark: string | null;
  /** Cells in place of those of the file. */
  readonly corrections?: InputCorrections | undefined;
}

/** What reading the inputs once more needs. To be called before anything is sent. */
export function readInputs(
  files: readonly InputFile[],
  inputs: readonly OpenedInput[],
  source: SourceOptions,
  corrections?: Corrections,
): ReadInput[] {
  return files.flatMap((file, index) => {
    const input = inputs[index];
    if (!input) return [];
    const own = ofInput(corrections, index);
    const placed = own && placedCorrections(own, input);
    return [{ file, input, source, mark: markOf(file), corrections: placed }];
  });
}

/** Changes when the file is written or replaced. */
export function markOf({ path }: InputFile): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : null;
}
