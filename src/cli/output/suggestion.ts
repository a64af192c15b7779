import { EXIT, type ExitCode } from '../../core/errors.js';
import { printableLine, counted, whole } from '../../core/text.js';
import {
  type ColumnSuggestion,
  LIKELY,
  scoreText,
  SURE,
  type Suggestion,
} from '../../suggest/suggestion.js';
import { checkCommandLine, suggestCommandLine, type SuggestWords } from '../next/commands.js';
import { STANDARD_INPUT } from '../standard-input.js';
import { note, print, printJson } from './output.js';
import { problemTable } from './problem-table.js';
import type { Terminal } from './terminal.js';

interface Asked extends SuggestWords {
  readonly out: string | undefined;
  readonly json: boolean;
}

/**
 * Prints a drafted mapping, what came of the first rows with it, and the next command. The mapping alone goes to
 * standard output when no file is named, so that it can be redirected.
 */
export async function printSuggestion(
  suggestion: Suggestion,
  asked: Asked,
  { stdout, stderr, columns }: Pick<Terminal, 'stdout' | 'stderr' | 'columns'>,
): Promise<ExitCode> {
  if (asked.json) {
    const { source, columns: found, mapping, missing, trial } = suggestion;
    const shown = { source, columns: found, mapping, missing, trial };
    await printJson(stdout, `${JSON.stringify(shown, null, 2)}\n`);
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
  const parts = [
    readText(suggestion.source),
    [LEGEND, ...suggestion.columns.map(columnLine)].join('\n'),
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

const LEGEND =
  'Columns: "+" stands in the mapping, "?" as a comment to decide on, and without a sign it is left out.';
const SIGNS = { sure: '+', likely: '?', none: ' ' } as const;

function columnLine({ column, target, phoneType, score, why }: ColumnSuggestion): string {
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
  const have = repeated === 1 ? '1 of them has' : `${whole(repeated)} of them have`;
  return ` ${have} the identifiers of an earlier row.`;
}

function listText(head: string, lines: readonly string[]): string {
  return lines.length === 0
    ? ''
    : [head, ...lines.map((line) => `- ${printableLine(line)}`)].join('\n');
}

/** The usual name of a mapping. */
const MAPPING = 'mapping.yaml';

/** The mapping has the options of reading, the mode and the country: they need not be given again. */
function nextText(asked: Asked, isOpen: boolean): string {
  const { file, installation, ledger, out } = asked;
  if (file === STANDARD_INPUT) return '';
  if (out === undefined) return `Next: write it to a file\n  ${suggestCommandLine(asked, MAPPING)}`;
  const command = checkCommandLine({ file, mapping: out, installation, ledger });
  return `${isOpen ? 'When it is filled in:' : 'Next:'}\n  ${command}`;
}
