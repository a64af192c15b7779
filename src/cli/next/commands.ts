import { relative } from 'node:path';
import { RUN_OPTIONS } from '../../app/options/run-options.js';
import { SOURCE_OPTIONS } from '../../app/options/source-options.js';
import type { CampaignChoice, CheckRequest, ImportRequest } from '../../app/requests.js';
import { MODE_TRAITS, type RunMode } from '../../core/mode.js';
import { optionWords } from './option-words.js';
import { shellWord } from '../shell-word.js';

/** Options that are of one run: the next one has its own folder, is no repetition, and is no trial. */
const NOT_REPEATED = new Set(['out', 'again', 'settleAll', 'canary', 'limit', 'rows']);

/** The same for other files, such as the rejects of a run, which have the corrections already. */
const OTHERS = new Set([...NOT_REPEATED, 'corrections']);

/** What an import is called with. */
export interface ImportWords {
  readonly request: ImportRequest;
  readonly sandbox: boolean;
}

/** The command that imports these files as the request says. */
export function importCommandLine(
  { request, sandbox }: ImportWords,
  files = request.files,
): string {
  return commandLine([
    'import',
    ...files.map(shortPath),
    ...['-m', shortPath(request.mapping), '-i', shortPath(request.installation)],
    ...(sandbox ? ['--sandbox'] : []),
    ...campaignWords(request.campaign),
    ...optionWords(RUN_OPTIONS, 'import', request, files === request.files ? NOT_REPEATED : OTHERS),
    ...optionWords(SOURCE_OPTIONS, 'import', sourceFor(request, files)),
  ]);
}

/** The command that imports what was checked. */
export function importAfterCheck(
  request: CheckRequest,
  installation: string,
  mode: RunMode,
): string {
  const line = importCommandLine({ request: { ...request, installation }, sandbox: false });
  return MODE_TRAITS[mode].asksFirst ? `${line} --yes` : line;
}

export function commandLine(words: readonly string[]): string {
  return ['cardline', ...words].map((word) => shellWord(word)).join(' ');
}

/** A path from here, where that is shorter and does not lead upwards. */
export function shortPath(path: string): string {
  const from = relative(process.cwd(), path);
  if (from === '' || from.startsWith('..') || from.length > path.length) return path;
  // Else it would be taken for an option.
  return from.startsWith('-') ? `./${from}` : from;
}

/** The rejects of a workbook have one sheet, under its own name. */
function sourceFor({ source = {}, files }: ImportRequest, wanted: readonly string[]): object {
  const isAnother = wanted !== files && wanted.some((file) => !files.includes(file));
  const { sheet, ...others } = source;
  const isNumber = typeof sheet === 'number' || /^\d+$/.test(sheet ?? '');
  return isAnother && isNumber ? others : source;
}

function campaignWords(campaign: CampaignChoice | undefined): string[] {
  const { id, name, maxCallCount } = campaign ?? {};
  const named = id === undefined ? name : String(id);
  return [
    ...(named === undefined ? [] : ['--campaign', named]),
    ...(maxCallCount === undefined ? [] : ['--max-call-count', String(maxCallCount)]),
  ];
}
