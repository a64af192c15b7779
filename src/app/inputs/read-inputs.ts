import type { SourceOptions } from '../../core/table.js';
import {
  type InputCorrections,
  ofInput,
  placedCorrections,
} from '../../prepare/inputs/corrections.js';
import type { InputFile, OpenedInput } from '../../prepare/plan.js';
import type { ImportSetup } from './import-setup.js';

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

/** What reading the inputs once more needs, as they were before anything was read. */
export function readInputs(
  { inputs, preparation, seen, corrections }: ReadSetup,
  source: SourceOptions,
): ReadInput[] {
  return inputs.files.flatMap((file, index) => {
    const input = preparation.inputs[index];
    if (!input) return [];
    const own = ofInput(corrections, index);
    const placed = own && placedCorrections(own, input);
    return [{ file, input, source, mark: seen.markOf(index), corrections: placed }];
  });
}

type ReadSetup = Pick<ImportSetup, 'inputs' | 'preparation' | 'seen' | 'corrections'>;
