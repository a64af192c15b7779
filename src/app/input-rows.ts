import { InputError } from '../core/errors.js';
import type { RowReport } from '../core/report.js';
import type { Row } from '../core/row.js';
import type { SourceOptions } from '../core/source.js';
import { openSource } from '../source/open.js';
import type { InputFile, OpenedInput } from './prepare/plan.js';

/** The inputs of a run, as they were found when it read them. */
export interface ReadInputs {
  readonly files: readonly InputFile[];
  readonly inputs: readonly OpenedInput[];
  readonly source: SourceOptions;
}

/** The data rows of a run's inputs, read once more, for those whose original cells are wanted. */
export class InputRows {
  readonly #batches: AsyncGenerator<readonly Row[], void, undefined>;
  #batch: readonly Row[] = [];
  /** Ordinal of the first row of the batch. */
  #first = 0;

  /** Nothing is opened before the first row is asked for. */
  constructor(read: ReadInputs) {
    this.#batches = batchesOf(read);
  }

  /**
   * The row that a line of the report tells of; `null` when the inputs are not any more what they were. To be asked
   * for in the order of the rows.
   */
  find(report: RowReport): Row | null | Promise<Row | null> {
    const at = report.ordinal - this.#first;
    // A promise for each row would take longer than reading it.
    return at < this.#batch.length ? this.#same(at, report) : this.#findBeyond(report);
  }

  async close(): Promise<void> {
    await this.#batches.return();
  }

  async #findBeyond(report: RowReport): Promise<Row | null> {
    while (report.ordinal - this.#first >= this.#batch.length) {
      const next = await this.#batches.next();
      if (next.done) return null;
      this.#first += this.#batch.length;
      this.#batch = next.value;
    }
    return this.#same(report.ordinal - this.#first, report);
  }

  #same(at: number, { row, sheet }: RowReport): Row | null {
    const found = this.#batch[at];
    return found?.row === row && found.sheet === sheet ? found : null;
  }
}

async function* batchesOf({
  files,
  inputs,
  source,
}: ReadInputs): AsyncGenerator<readonly Row[], void, undefined> {
  for (const [index, input] of inputs.entries()) {
    const path = files[index]?.path;
    if (path !== undefined) yield* dataRows(path, input, source);
  }
}

async function* dataRows(
  path: string,
  input: OpenedInput,
  options: SourceOptions,
): AsyncGenerator<readonly Row[], void, undefined> {
  const isData = ({ row, sheet }: Row): boolean => row > input.headerRow || sheet !== input.sheet;
  const source = await openSource(path, { ...options, ...found(input) });
  try {
    for await (const batch of source.batches()) {
      // Rows above the data are those of the first batches.
      const [first] = batch;
      yield first && isData(first) ? batch : batch.filter(isData);
    }
  } catch (error) {
    // The run has told of a fault in the file; the rows before it are asked for all the same.
    if (!(error instanceof InputError)) throw error;
  }
}

/** What was found at the first reading is not guessed again. */
function found({ info }: OpenedInput): SourceOptions {
  return {
    ...(info.encoding === undefined ? {} : { encoding: info.encoding }),
    ...(info.delimiter === undefined ? {} : { delimiter: info.delimiter }),
  };
}
