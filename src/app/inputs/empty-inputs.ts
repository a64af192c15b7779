import { EXIT } from '../../core/errors.js';
import type { PreparedChunk } from '../../core/prepared.js';
import type { CheckResult, FilesRequest, ImportResult } from '../requests.js';

/** Counts the data rows of each input as they go by, for those that have none. */
export class RowTally {
  readonly #rows: number[];

  constructor(private readonly inputs: readonly string[]) {
    this.#rows = inputs.map(() => 0);
  }

  add({ input, count }: PreparedChunk): void {
    this.#rows[input] = (this.#rows[input] ?? 0) + count;
  }

  async *counted(chunks: AsyncIterable<PreparedChunk>): AsyncGenerator<PreparedChunk> {
    for await (const chunk of chunks) {
      this.add(chunk);
      yield chunk;
    }
  }

  /** Names of the inputs without a data row. */
  empty(): string[] {
    return this.inputs.filter((_, index) => this.#rows[index] === 0);
  }
}

type Wanted = Pick<FilesRequest, 'expectRows' | 'onWarning'>;

/**
 * Warns of inputs that have a header and nothing below it, as an export that failed leaves them. Where rows are expected,
 * such a run does not end well.
 */
export function withEmptyReported<T extends Pick<ImportResult | CheckResult, 'exitCode'>>(
  result: T,
  empty: readonly string[],
  { expectRows = false, onWarning }: Wanted,
): T {
  for (const name of empty) onWarning?.(`${name} has a header and no data rows.`);
  const isBad = expectRows && empty.length > 0 && result.exitCode === EXIT.ok;
  return isBad ? { ...result, exitCode: EXIT.rows } : result;
}

/** The same of a run: one that stopped has not seen all rows, and one that was done earlier shows their number alone. */
export function withEmptyInputs(
  result: ImportResult,
  tally: RowTally,
  wanted: Wanted,
): ImportResult {
  if (result.stopped !== undefined) return result;
  if (result.already && result.summary.rows > 0) return result;
  return withEmptyReported(result, tally.empty(), wanted);
}
