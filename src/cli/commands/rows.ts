import { UsageError, EXIT, type ExitCode } from '../../core/errors.js';
import type { SourceInfo, Row } from '../../core/table.js';
import { defineCommand } from '../command.js';
import { doubtText } from '../input-text.js';
import { numberOption } from '../options/options.js';
import { givenSource, sourceFlags, inputFile } from '../options/run-flags.js';
import {
  note,
  printJson,
  STANDARD_INPUT,
  stopWaiting,
  StoppedError,
  type Terminal,
} from '../output/output.js';

const options = {
  ...sourceFlags('rows'),
  limit: numberOption('limit', 'Stop after this many rows. Default: all rows.', 1),
};

const lineOf = ({ sheet, row, cells, defects }: Row): string =>
  `${JSON.stringify({ sheet, row, cells, ...(defects && { defects }) })}\n`;

export const rowsCommand = defineCommand({
  usage: 'rows <file>',
  describe: 'Print each row of a spreadsheet as one JSON line: what the reader sees.',
  options,
  examples: [
    ['$0 rows leads.csv --limit 5', 'Look at the beginning of a file.'],
    ['$0 rows leads.xlsx --all-sheets', 'Every sheet, hidden ones too.'],
    ['zcat leads.csv.gz | $0 rows -', 'Read standard input.'],
  ],
  build: (parser) => parser.positional('file', inputFile).options(options),
  async run(args, terminal) {
    const source = givenSource('rows', args);
    if (source.allSheets && source.sheet !== undefined) {
      throw new UsageError('Give --sheet or --all-sheets, not both.');
    }
    const { readRows } = await import('../../run/preview.js');
    const file = args.file === STANDARD_INPUT ? terminal.stdin : args.file;
    stopWaiting([args.file], terminal);
    const onInfo = (info: SourceInfo): void => {
      const doubt = doubtText(args.file, info);
      if (doubt !== undefined) note(terminal.stderr, doubt);
    };
    return printRows(readRows(file, source, onInfo), terminal, args.limit);
  },
});

/**
 * Prints rows as JSON lines, a batch at a time. Ends early at the limit, and when nobody reads any more. When the
 * file breaks off, the rows before that place are printed first.
 */
async function printRows(
  batches: AsyncIterable<readonly Row[]>,
  { stdout, signal }: Pick<Terminal, 'stdout' | 'signal'>,
  limit = Infinity,
): Promise<ExitCode> {
  let left = limit;
  for await (const batch of batches) {
    if (signal.aborted) throw new StoppedError('Stopped.');
    const wanted = batch.slice(0, left);
    left -= wanted.length;
    const read = await printJson(stdout, wanted.map(lineOf).join(''));
    if (!read || left <= 0) break;
  }
  return EXIT.ok;
}
