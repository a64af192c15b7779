import { UsageError, EXIT, type ExitCode } from '../../core/errors.js';
import type { SourceInfo, Row } from '../../core/table.js';
import { defineCommand } from '../command.js';
import { doubtText } from '../input-text.js';
import {
  numberOption,
  flagOption,
  requiredInstallation,
  textOption,
  installationDescription,
  mappingOption,
  quietOption,
  givenSource,
  sourceFlags,
  inputFile,
  givenOptions,
  runFlags,
  inputFiles,
} from '../options.js';
import {
  note,
  printJson,
  printValue,
  STANDARD_INPUT,
  stopWaiting,
  StoppedError,
  type Terminal,
  unlessStopped,
  print,
} from '../output/output.js';
import { defined, printableLine, counted, whole, printable } from '../../core/text.js';
import { MODES } from '../../core/mode.js';
import type { ColumnSuggestion } from '../../suggest/assign.js';
import type * as Columns from '../../suggest/columns.js';
import type { Suggestion } from '../../suggest/suggest.js';
import { checkCommandLine, suggestCommandLine, type SuggestWords } from '../next.js';
import type { ProblemCount } from '../../core/problem.js';
import { checkCommandFiles } from '../check-files.js';

const lineOf = ({ sheet, row, cells, defects }: Row): string =>
  `${JSON.stringify({ sheet, row, cells, ...(defects && { defects }) })}\n`;

export const rowsCommand = defineCommand({
  usage: 'rows <file>',
  describe: 'Print each row of a spreadsheet as one JSON line: what the reader sees.',
  options: {
    ...sourceFlags('rows'),
    limit: numberOption('limit', 'Stop after this many rows. Default: all rows.', 1),
  },
  positionals: { file: inputFile },
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

/** Narrower than this, a message is no longer readable. */
const NARROWEST = 24;

const HEAD = ['rows', 'first row', 'column', 'problem', 'what'];

const MAPPING = 'mapping.yaml';

const SIGNS = { sure: '+', likely: '?', none: ' ' } as const;

const LEGEND =
  'Columns: "+" stands in the mapping, "?" as a comment to decide on, and without a sign it is left out.';

export const suggestCommand = defineCommand({
  usage: 'suggest <file>',
  describe: 'Draft a mapping for a spreadsheet.',
  epilogue: 'Nothing is sent. Ends with 0, also where something is left to fill in.',
  options: {
    ...requiredInstallation,
    out: textOption('File for the mapping. Default: it is printed.', { alias: 'o' }),
    ...sourceFlags('suggest'),
    country: textOption(
      'Country of phone numbers without a country code, two letters such as RU. Default: found out.',
    ),
    mode: textOption('What the mapping is for. Default: create.', { choices: MODES }),
    ledger: textOption(
      'File in which the runs are kept: what earlier mappings did with the same columns counts. ' +
        "Default: the installation's ledger, else cardline.db.",
    ),
    json: flagOption('Print what was found as JSON. Default: no.'),
  },
  places: { out: 'file', ledger: 'read ledger' },
  positionals: { file: inputFile },
  async run(args, terminal) {
    const { suggestMapping, writeDraft } = await import('../../setup/suggest.js');
    stopWaiting([args.file], terminal);
    const { file, installation, out, country, mode, ledger, json = false } = args;
    const request = {
      ...{ file, installation, source: givenSource('suggest', args) },
      ...defined({ country, mode, ledger }),
    };
    const suggestion = await unlessStopped(suggestMapping(request), terminal.signal);
    if (out !== undefined) await writeDraft(out, suggestion.mapping);
    return printSuggestion(suggestion, { ...request, out, json }, terminal);
  },
});

interface Asked extends SuggestWords {
  readonly out: string | undefined;
  readonly json: boolean;
}

/**
 * Prints a drafted mapping, what came of the first rows with it, and the next command. The mapping alone goes to
 * standard output when no file is named, so that it can be redirected.
 */
async function printSuggestion(
  suggestion: Suggestion,
  asked: Asked,
  { stdout, stderr, columns }: Pick<Terminal, 'stdout' | 'stderr' | 'columns'>,
): Promise<ExitCode> {
  if (asked.json) {
    const { source, columns: found, mapping, missing, trial } = suggestion;
    const shown = { source, columns: found, mapping, missing, trial };
    await printValue(stdout, shown);
    return EXIT.ok;
  }
  const text = await summaryText(suggestion, asked, columns);
  if (asked.out === undefined) {
    await print(stdout, suggestion.mapping);
    note(stderr, `\n${text}`);
  } else await print(stdout, `${text}\n`);
  return EXIT.ok;
}

async function summaryText(suggestion: Suggestion, asked: Asked, width?: number): Promise<string> {
  const { trial, missing, decisions, toFillIn } = suggestion;
  // All that is known of headers and phones is no part of the other commands.
  const scores = await import('../../suggest/columns.js');
  const parts = [
    readText(suggestion.source),
    [LEGEND, ...suggestion.columns.map((column) => columnLine(column, scores))].join('\n'),
    trial === null ? '' : await trialText(trial, suggestion.source.sheet, width),
    listText('Decide:', decisions),
    listText('Fill in:', toFillIn),
    missing.length === 0 ? '' : `Without a column: ${missing.map(printableLine).join(', ')}.`,
    nextText(asked, toFillIn.length > 0),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** What was read of the file, where that is not all from its first row to its last. */
function readText({ sheet, otherSheets, headerRow, until }: Suggestion['source']): string {
  const lines = [
    sheet === null || otherSheets.length === 0
      ? ''
      : `The sheet "${sheet}" was read; there are also: ${otherSheets.join(', ')}. Choose one with --sheet.`,
    typeof headerRow === 'number' && headerRow > 1 ? `The header is in row ${headerRow}.` : '',
    until === null
      ? ''
      : `Rows are read up to the one with "${until.startsWith}" in ${until.column}, which are totals.`,
  ];
  return lines
    .filter((line) => line !== '')
    .map(printableLine)
    .join('\n');
}

function columnLine(
  { column, target, phoneType, score, why }: ColumnSuggestion,
  { LIKELY, SURE, scoreText }: typeof Columns,
): string {
  const sign =
    target === null || score < LIKELY ? SIGNS.none : score >= SURE ? SIGNS.sure : SIGNS.likely;
  const where =
    target === null ? 'left out' : `${target}${phoneType === undefined ? '' : ` (${phoneType})`}`;
  const sure = target === null ? '' : ` ${scoreText(score)}`;
  return printableLine(`${sign} ${column} -> ${where}${sure}: ${why}`);
}

async function trialText(
  { rows, clients, rejected, skipped, repeated, problems }: NonNullable<Suggestion['trial']>,
  sheet: string | null,
  width?: number,
): Promise<string> {
  const counts = `${whole(clients)} would be sent, ${whole(rejected)} rejected, ${whole(skipped)} skipped`;
  const where = sheet === null ? '' : ` of the sheet "${printableLine(sheet)}"`;
  const table = problems.length === 0 ? [] : [await problemTable(problems, width)];
  return [
    `The first ${counted(rows, 'row')}${where} with this mapping: ${counts}.${repeatedText(repeated)}`,
    ...table,
  ].join('\n\n');
}

/** Rows of the same identifiers are one client: many of them say that another column identifies the clients. */
function repeatedText(repeated: number): string {
  if (repeated === 0) return '';
  return ` ${counted(repeated, 'of them has', 'of them have')} the identifiers of an earlier row.`;
}

function listText(head: string, lines: readonly string[]): string {
  return lines.length === 0
    ? ''
    : [head, ...lines.map((line) => `- ${printableLine(line)}`)].join('\n');
}

/** The mapping has the options of reading, the mode and the country: they need not be given again. */
function nextText(asked: Asked, isOpen: boolean): string {
  const { file, installation, ledger, out } = asked;
  if (file === STANDARD_INPUT) return '';
  if (out === undefined) return `Next: write it to a file\n  ${suggestCommandLine(asked, MAPPING)}`;
  const command = checkCommandLine({ file, mapping: out, installation, ledger });
  return `${isOpen ? 'When it is filled in:' : 'Next:'}\n  ${command}`;
}

/**
 * How often each problem occurred, as a table.
 *
 * @param columns width of the terminal in characters; without it, nothing is wrapped
 */
async function problemTable(problems: readonly ProblemCount[], columns?: number): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const lines = problems.map(({ count, firstRow, column, code, message }) => [
    whole(count),
    String(firstRow),
    printableLine(column ?? ''),
    code,
    printable(message),
  ]);
  const last = columns === undefined ? null : Math.max(NARROWEST, columns - takenBy(lines));
  const table = new Table({
    head: HEAD,
    colAligns: ['right', 'right'],
    colWidths: [null, null, null, null, last],
    wordWrap: true,
    style: { head: [], border: [], compact: true },
  });
  table.push(...lines);
  return table.toString();
}

/** Width of all columns but the last, with their padding and borders. */
function takenBy(lines: readonly (readonly string[])[]): number {
  const widths = HEAD.slice(0, -1).map((head, index) =>
    Math.max(head.length, ...lines.map((line) => line[index]?.length ?? 0)),
  );
  return widths.reduce((sum, width) => sum + width + 3, 2);
}

export const checkCommand = defineCommand({
  usage: 'check <files..>',
  describe: 'Do everything that an import does, but send nothing.',
  epilogue: 'Ends with 0 when no row is rejected, else with 2.',
  options: {
    ...mappingOption,
    installation: textOption(`${installationDescription} Default: card fields are not checked.`, {
      alias: 'i',
    }),
    ...runFlags('check'),
    ...sourceFlags('check'),
    ...quietOption,
    json: flagOption('Print what was found as JSON. Default: no.'),
  },
  places: { out: 'folder', ledger: 'read ledger' },
  positionals: { files: inputFiles },
  run: (args, terminal) =>
    checkCommandFiles(
      {
        files: args.files,
        mapping: args.mapping,
        source: givenSource('check', args),
        ...givenOptions('check', args),
        ...defined({ installation: args.installation }),
      },
      args,
      terminal,
    ),
});
