import { defined } from '../core/defined.js';
import { InputError } from '../core/errors.js';
import type { RowReport } from '../core/report.js';
import type { Row, ReopenOptions } from '../core/table.js';
import { CellCorrections, withCorrections } from '../prepare/inputs/corrections.js';
import { openWithinLimits } from '../prepare/inputs/open-within-limits.js';
import type { OpenedInput } from '../prepare/plan.js';
import type { ReadInput } from './inputs.js';
import { markNow } from './content.js';

/** What reading an input once more takes. */
interface RereadInput extends Pick<ReadInput, 'file' | 'source' | 'mark' | 'corrections'> {
  readonly input: Pick<OpenedInput, 'info' | 'headerRow' | 'sheet'>;
}

/** The data rows of an input, read once more with their corrections, for those whose cells are wanted. */
export class InputRows {
  readonly #batches: AsyncGenerator<readonly Row[], void, undefined>;
  #batch: readonly Row[] = [];
  #at = 0;

  /** Nothing is opened before the first row is asked for. */
  constructor(private readonly read: RereadInput) {
    const { corrections } = read;
    const rows = dataRows(read);
    this.#batches = corrections ? withCorrections(rows, new CellCorrections(corrections)) : rows;
  }

  /**
   * The row that a line of the report is about; `null` when the file has been changed since the run began, or is gone. To
   * be asked for in the order of the rows.
   */
  find(report: RowReport): Row | null | Promise<Row | null> {
    // A promise for each row would take longer than reading it.
    return this.#inBatch(report) ?? this.#findAfter(report);
  }

  async close(): Promise<void> {
    await this.#batches.return();
  }

  async #findAfter(report: RowReport): Promise<Row | null> {
    if (!(await this.#isUnchanged())) return null;
    for (;;) {
      const next = await this.#batches.next();
      // Behind the reading, too: what is given was read of the file as it was.
      if (!(await this.#isUnchanged())) return null;
      if (next.done) return null;
      this.#batch = next.value;
      this.#at = 0;
      const found = this.#inBatch(report);
      if (found) return found;
    }
  }

  async #isUnchanged(): Promise<boolean> {
    const { mark, file } = this.read;
    return mark !== null && (await markNow(file)) === mark;
  }

  #inBatch({ row, sheet }: RowReport): Row | undefined {
    for (; this.#at < this.#batch.length; this.#at++) {
      const found = this.#batch[this.#at];
      if (found?.row === row && found.sheet === sheet) return found;
    }
    return undefined;
  }
}

async function* dataRows({
  file,
  input,
  source: options,
}: RereadInput): AsyncGenerator<readonly Row[], void, undefined> {
  const isData = ({ row, sheet }: Row): boolean => row > input.headerRow || sheet !== input.sheet;
  const source = await openWithinLimits(file.path, { ...options, ...found(input) });
  try {
    for await (const batch of source.batches()) {
      // Rows above the data are those of the first batches.
      const [first] = batch;
      yield first && isData(first) ? batch : batch.filter(isData);
    }
  } catch (error) {
    // The run has reported what is wrong with the file; the rows before it are asked for all the same.
    if (!(error instanceof InputError)) throw error;
  }
}

/** What was found at the first reading is not guessed again. Runs of older versions kept the delimiter alone. */
function found({ info: { encoding, delimiter, dialect } }: RereadInput['input']): ReopenOptions {
  return defined({ encoding, delimiter, dialect });
}
