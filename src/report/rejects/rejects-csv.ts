import type { Cell } from '../../core/table.js';
import { guardedText } from '../../core/cell-text.js';
import { AtomicFile, orDiscard } from '../files/atomic-file.js';
import { csvField, quoted } from '../csv/csv-text.js';
import { PROBLEMS_COLUMN } from '../../core/report.js';
import type { RejectsLayout } from './rejects-layout.js';
import type { RejectsFile, RejectsWriter } from './rejects-writer.js';
import { encoderFor, isUtf16 } from '../files/text-encoder.js';

/** Characters that are collected before they are encoded. */
const CHUNK = 16 * 1024;

/** Rejects as CSV, in the encoding and with the delimiter of the input, lines ended by `\r\n` as spreadsheet programs do. */
export async function csvRejects(
  { file, encoding = 'utf-8', delimiter = ',', bom = false }: RejectsFile,
  layout: RejectsLayout,
  /** Rows above the data, the header included. */
  above: readonly (readonly Cell[])[],
): Promise<RejectsWriter> {
  const encode = await encoderFor(encoding);
  const line = lineWith(delimiter);
  // Problems are always quoted: a program that detects the delimiter must not count their commas.
  const problemsColumn = layout.headers.indexOf(PROBLEMS_COLUMN);
  let target: AtomicFile | undefined;
  let count = 0;
  let chunk = bom || isUtf16(encoding) ? '\uFEFF' : '';
  chunk += above.map((cells) => line(cells)).join('');

  const flush = async (): Promise<AtomicFile> => {
    const text = chunk;
    chunk = '';
    const opened = (target ??= await AtomicFile.open(file));
    await orDiscard(opened, () => opened.write(encode(text)));
    return opened;
  };
  return {
    write(cells, outcome, problems) {
      count += 1;
      chunk += line(layout.row(cells, outcome, problems), problemsColumn);
      return chunk.length < CHUNK ? undefined : flush().then(() => undefined);
    },
    async close() {
      if (count > 0) await (await flush()).commit();
      return count;
    },
    async discard() {
      await target?.discard();
    },
  };
}

/** Makes a line of cells, each in a form that no program takes for a formula; `quotedColumn` is quoted in any case. */
function lineWith(delimiter: string): (cells: readonly Cell[], quotedColumn?: number) => string {
  const field = csvField(delimiter);
  return (cells, quotedColumn) => {
    let line = '';
    // Delimiters are written when a cell follows, all at once: a row may have thousands of empty cells.
    let written = 0;
    for (let column = 0; column < cells.length; column++) {
      const cell = cells[column] ?? '';
      if (cell === '' && column !== quotedColumn) continue;
      line +=
        delimiter.repeat(column - written) +
        (column === quotedColumn ? quoted : field)(guardedText(cell));
      written = column;
    }
    return `${line}${delimiter.repeat(Math.max(0, cells.length - 1 - written))}\r\n`;
  };
}
