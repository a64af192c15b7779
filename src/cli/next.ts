import type {
  ExecutableRun,
  ImportResult,
  CampaignChoice,
  ImportRequest,
} from '../run/requests.js';
import { resumption } from '../run/execute.js';
import { EXIT, UsageError } from '../core/errors.js';
import { MODE_TRAITS, type RunMode } from '../core/outcome.js';
import { wrapped, commandLine } from '../core/text.js';
import { isPostgresAddress } from '../core/ledger.js';
import { relative } from 'node:path';
import {
  RUN_OPTIONS,
  SOURCE_OPTIONS,
  type OptionKind,
  type OptionTable,
  type OptionValues,
  type RunOption,
  type Use,
  optionsWhere,
} from '../options/run-options.js';
import type { SourceOptions } from '../core/table.js';

type Undo = Extract<ExecutableRun, { readonly kind: 'undo' }>;

/** How what was taken back is sent again; empty text where that run cannot be repeated. */
export async function nextAfterUndo(
  { request: { undoes } }: Undo,
  { exitCode, already, summary, ledger }: ImportResult,
): Promise<string> {
  if (exitCode === EXIT.stopped || already || summary.outcomes.undone === 0) return '';
  const run = await resumption(ledger, undoes).catch((error: unknown) => {
    // It read standard input, or another version began it: its command is not on record.
    if (error instanceof UsageError) return null;
    throw error;
  });
  if (run?.kind !== 'import') return '';
  const { confirmed: _, ...request } = run.request;
  const { recordedRun, withLedger } = await import('../history/history.js');
  // That of the mapping, where the command named none.
  const { mode } = await withLedger(ledger, (opened) => recordedRun(opened, ledger, undoes));
  const { creates } = MODE_TRAITS[mode];
  const words = creates
    ? 'To send it again, with the clients restored that the contact center keeps as deleted:'
    : 'To send it again:';
  const recovery = creates ? { recovery: true } : {};
  return nextText(
    words,
    filesCommandLine('import', { ...run, request: { ...request, ...recovery } }),
  );
}

/** A command to paste, below the words for it. It is never wrapped: a line break would cut it in two. */
export const nextText = (words: string, command: string, columns?: number): string =>
  `${wrapped('Next: ', `${words.charAt(0).toLowerCase()}${words.slice(1)}`, columns)}\n  ${command}`;

/** Options that are of one run: the next one has its own folder, is no repetition, and is no trial. */
const NOT_REPEATED = new Set(['out', 'again', 'settleAll', 'canary', 'limit', 'rows']);

/** The same for other files, such as the rejects of a run, which have the corrections already. */
const OTHERS = new Set([...NOT_REPEATED, 'corrections']);

interface ImportWords {
  readonly request: ImportRequest;
  readonly sandbox: boolean;
}

/** The command that imports these files as the request says, or compares them with what is there. */
export function filesCommandLine(
  use: 'import' | 'reconcile',
  { request, sandbox }: ImportWords,
  files = request.files,
): string {
  const { mapping, installation, campaign = {} } = request;
  const { maxCallCount: _, ...named } = campaign;
  return commandLine([
    ...[use, ...files.map(shortPath)],
    ...['-m', shortPath(mapping), '-i', shortPath(installation)],
    ...(sandbox ? ['--sandbox'] : []),
    ...campaignWords(use === 'import' ? campaign : named),
    ...optionWords(RUN_OPTIONS, use, request, files === request.files ? NOT_REPEATED : OTHERS),
    ...optionWords(SOURCE_OPTIONS, use, sourceFor(request, files)),
  ]);
}

/** The command that imports what was checked. */
export function importAfterCheck(words: ImportWords, mode: RunMode): string {
  const line = filesCommandLine('import', words);
  const isAsked = MODE_TRAITS[mode].asksFirst && words.request.confirmed !== true;
  return isAsked ? `${line} --yes` : line;
}

/** What a check of one file is called with. */
export interface CheckWords {
  readonly file: string;
  readonly mapping: string;
  readonly installation: string;
  readonly mode?: RunMode | undefined;
  readonly source?: SourceOptions | undefined;
  /** Of the import that is meant. A check has no use for them, so that it is called as a part of the import. */
  readonly ledger?: string | undefined;
  readonly campaign?: CampaignChoice | undefined;
}

/** The command that checks a file, with all that the import after it needs. */
export function checkCommandLine(words: CheckWords): string {
  const { file, mapping, installation, mode, source = {}, ledger, campaign } = words;
  const isOfImport = ledger !== undefined || campaign !== undefined;
  return commandLine([
    ...[isOfImport ? 'import' : 'check', shortPath(file)],
    ...['-m', shortPath(mapping), '-i', shortPath(installation)],
    ...(isOfImport ? ['--dry-run'] : []),
    ...campaignWords(campaign),
    ...optionWords(RUN_OPTIONS, 'import', { mode, ledger }),
    ...optionWords(SOURCE_OPTIONS, 'import', source),
  ]);
}

/** What a draft of a mapping is called with. */
export interface SuggestWords extends Omit<CheckWords, 'mapping' | 'campaign'> {
  readonly country?: string | undefined;
}

/** The command that drafts a mapping and writes it to a file. */
export function suggestCommandLine(words: SuggestWords, out: string): string {
  const { file, installation, mode, source = {}, ledger, country } = words;
  return commandLine([
    ...['suggest', shortPath(file), '-i', shortPath(installation), '-o', shortPath(out)],
    ...optionWords(SOURCE_OPTIONS, 'suggest', source),
    ...(country === undefined ? [] : ['--country', country]),
    ...optionWords(RUN_OPTIONS, 'import', { mode, ledger }),
  ]);
}

/** A path from here, where that is shorter and does not lead upwards. */
export function shortPath(path: string): string {
  if (isPostgresAddress(path)) return path;
  const from = relative(process.cwd(), path);
  if (from === '' || from.startsWith('..') || from.length > path.length) return path;
  // Else it would be taken for an option.
  return from.startsWith('-') ? `./${from}` : from;
}

/** The rejects of a workbook have one sheet, and others none. */
function sourceFor({ source = {}, files }: ImportRequest, wanted: readonly string[]): object {
  const isAnother = wanted !== files && wanted.some((file) => !files.includes(file));
  const { sheet: _, ...others } = source;
  return isAnother ? others : source;
}

function campaignWords(campaign: CampaignChoice | undefined): string[] {
  const { id, name, maxCallCount } = campaign ?? {};
  const named = id === undefined ? name : String(id);
  return [
    ...(named === undefined ? [] : ['--campaign', named]),
    ...(maxCallCount === undefined ? [] : ['--max-call-count', String(maxCallCount)]),
  ];
}

/** How a value is written after its flag. */
const WRITTEN = {
  text: (value) => value,
  count: String,
  amount: String,
  'count or auto': String,
  duration: (milliseconds) => `${Math.ceil(milliseconds / 1000)}s`,
  'time of day': (value) => value,
  failures: (limit) => ('percent' in limit ? `${limit.percent}%` : String(limit.count)),
  mode: (value) => value,
  names: (names) => names.join(','),
  'row range': ({ first, last }) => `${first}-${last}`,
  sheet: String,
} as const satisfies { [K in Exclude<OptionKind, 'flag'>]: (value: OptionValues[K]) => string };

function optionWords(
  table: OptionTable,
  use: Use,
  request: object,
  without: ReadonlySet<string> = new Set(),
): string[] {
  const values = new Map<string, unknown>(Object.entries(request));
  return optionsWhere(table, ({ help }) => help[use] !== undefined).flatMap(([name, option]) => {
    const value = values.get(name);
    return value === undefined || without.has(name) ? [] : wordsOf(option, value);
  });
}

function wordsOf({ flag, kind }: RunOption, value: unknown): string[] {
  if (kind === 'flag') return [value === true ? `--${flag}` : `--no-${flag}`];
  // The value is of the option's kind: the table says so, which no check can repeat.
  const write = WRITTEN[kind] as (value: unknown) => string;
  return [`--${flag}`, write(value)];
}
