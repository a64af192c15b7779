import { columnMessage } from '../../core/outcome.js';
import { type ImportResult, type Trial, isWhole } from '../../run/requests.js';
import type { ExitCode } from '../../core/errors.js';
import { defined, whole, ledgerCommand, printableLine, wrapped, counted } from '../../core/text.js';
import { momentOf, placesText } from '../../report/text/words.js';
import { shortPath } from '../next.js';
import { note, print, printValue, type Terminal } from './output.js';
import type { Reason, TopReasons } from '../../report/reasons.js';

/**
 * Prints how an import ended, for a person or, with `json`, for a program. Resolves with the exit code.
 * @param next what to do next, for a person. @default nothing
 */
export async function printImportResult(
  result: ImportResult,
  { stdout, stderr, columns }: Pick<Terminal, 'stdout' | 'stderr' | 'columns'>,
  { json, next = '' }: { readonly json: boolean; readonly next?: string },
): Promise<ExitCode> {
  const { exitCode, summary, out, report, rejects, stopped, trial, missing } = result;
  if (stopped !== undefined) note(stderr, stopped);
  if (result.already) note(stderr, alreadyText(result));
  if (json) {
    const { REPORT_VERSION } = await import('../../report/summary.js');
    const removed = missing && { ...missing.summary, out: missing.out, report: missing.report };
    const printed = {
      ...{ version: REPORT_VERSION, ...summary, out, report, rejects },
      ...defined({ trial, missing: removed }),
    };
    await printValue(stdout, printed);
  } else await print(stdout, await resultText(result, next, columns));
  return exitCode;
}

/** Nothing was sent: what is shown is how that run ended, and so is the exit code. */
function alreadyText(result: ImportResult): string {
  const { summary, endedAt, report } = result;
  const { run, mode } = summary;
  const when = endedAt === undefined ? '' : ` on ${momentOf(endedAt)}`;
  const isUndo = mode === 'undo';
  const again = isUndo ? 'The run was taken back' : 'This was imported';
  const nothing = isUndo ? 'nothing was done' : 'nothing was sent';
  const anew = isUndo ? '' : ' --again imports it anew.';
  const gone = report === '' ? ` Its report is gone; "${reportCommand(result)}" shows it.` : '';
  return `${again} already, by run ${run}${when}; ${nothing}.${anew}${gone} Its counts:`;
}

/** The command is right wherever it is printed: with the ledger that has the run. */
const reportCommand = ({ summary, ledger }: ImportResult): string =>
  ledgerCommand(shortPath(ledger), 'report', summary.run);

async function resultText(
  result: ImportResult,
  next: string,
  columns: number | undefined,
): Promise<string> {
  const { summary, report, rejects, ledger, reasons, trial, missing } = result;
  const { summaryTable } = await import('../../report/summary.js');
  const label = summary.mode === 'reconcile' ? 'fix     ' : 'rejects ';
  const places = [
    ...(report === '' ? [] : [`report   ${report}`]),
    ...rejects.map((file) => `${label} ${file}`),
    ...(missing ? [`missing  ${missing.report}`] : []),
    `ledger   ${ledger}`,
  ];
  const rest = `"${reportCommand(result)}" has them all`;
  const why = reasons ? reasonsText(reasons, { inputs: summary.inputs, columns, rest }) : '';
  const part = trial ? trialText(trial, summary.inputs.length) : '';
  const how = Object.entries(missing?.summary.outcomes ?? {})
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${whole(count)} ${outcome}`);
  const gone = missing
    ? `Clients of the last list that are not in this one: ${whole(missing.summary.rows)} (${how.join(', ')}).`
    : '';
  return [summaryTable(summary).trimEnd(), gone, part, why, places.join('\n'), next]
    .filter((part) => part !== '')
    .map((part) => `${part}\n`)
    .join('\n');
}

const VALUE_LENGTH = 30;
const PLACES = 3;

interface ReasonsShown {
  /** Names of the inputs. */
  readonly inputs: readonly string[];
  /** Width of the terminal; without one, the output may be kept, and shows no value of the file. */
  readonly columns?: number | undefined;
  /** Where the reasons beyond these are. */
  readonly rest: string;
}

/** Why rows did not end well, the most frequent reason first; empty text when all did. */
export function reasonsText({ reasons, more }: TopReasons, shown: ReasonsShown): string {
  if (reasons.length === 0) return '';
  const width = whole(reasons[0]?.rows ?? 0).length;
  const lines = reasons.flatMap((reason) => reasonLines(reason, width, shown));
  const rest = more > 0 ? [`  and ${counted(more, 'more reason')}; ${shown.rest}`] : [];
  return ['Why rows did not end well:', ...lines, ...rest].join('\n');
}

function reasonLines(reason: Reason, width: number, { inputs, columns }: ReasonsShown): string[] {
  const count = `  ${whole(reason.rows).padStart(width)}  `;
  const outcome = reason.outcome === 'rejected' ? '' : `${reason.outcome}: `;
  // A contact center's words may repeat what was sent of a client or the credentials: these parts are for a terminal alone.
  const isPlain = columns !== undefined || reason.from !== 'contact center';
  const message = isPlain ? reason.message : plainWords(reason.message);
  const text = columnMessage({ ...reason, message });
  const values = (columns === undefined ? [] : reason.values).map((value) => {
    const short = value.length <= VALUE_LENGTH ? value : `${value.slice(0, VALUE_LENGTH)}…`;
    return JSON.stringify(printableLine(short));
  });
  const places = placesText(reason.rows, reason.examples.slice(0, PLACES), inputs);
  const below = [...(values.length === 0 ? [] : [values.join(', ')]), printableLine(places)];
  return [
    wrapped(count, printableLine(`${outcome}${text}`), columns),
    wrapped(' '.repeat(count.length), below.join('; '), columns),
  ];
}

/** Words of which the usual answers of a contact center consist (interface.md 4.1, 4.9). None is a name. */
const USUAL_WORDS = new Set(
  `a|already|an|and|another|any|are|as|at|be|been|before|blacklist|busy|by|campaign|campaigns|can|cannot
  card|client|clients|deleted|does|doesn|doesnt|duplicate|email|empty|error|exist|exists|failed|field
  fields|for|found|future|has|have|id|identifier|identifiers|in|invalid|is|it|limit|list|long|max
  maximum|missing|must|no|not|number|of|on|only|or|phone|phones|recovery|required|restored|restores
  server|such|synchronization|syncronize|t|telemarketcampaign|the|this|timezone|to|too|unknown|value
  valid|was|with|without|wrong`.split(/[|\s]+/),
);

const VALUES = /\[[^\]]*\]|\([^)]*\)|["«“][^"»”]*["»”]|[\p{L}\p{N}]+(?:[-_.@+][\p{L}\p{N}]+)*/gu;
const BRACKETED = /^[[("«“]/;

/**
 * What a contact center says, without what may be a client's or a credential: what stands in brackets or quotation marks,
 * and every word that its usual answers do not have, becomes `…`.
 */
export const plainWords = (text: string): string =>
  text
    .replaceAll(VALUES, (part) => {
      if (BRACKETED.test(part)) return `${part.charAt(0)}…${part.charAt(part.length - 1)}`;
      return USUAL_WORDS.has(part.toLowerCase()) ? part : '…';
    })
    .replaceAll(/…(?:[\s,;:+-]*…)+/g, '…');

/** That not all rows were read, and how many are left. */
export function trialText(trial: Trial, inputs: number): string {
  const { rows, first, last, left, hasMore } = trial;
  const [files, have] = inputs === 1 ? ['the file', 'has'] : ['the files', 'have'];
  if (rows === 0)
    return `This was a trial of rows that are not there: ${files} ${have} ${counted(left, 'row')}.`;
  const which =
    inputs > 1 ? counted(rows, 'row') : first === last ? `row ${first}` : `rows ${first}-${last}`;
  if (isWhole(trial)) return `This was a trial of ${which}: ${files} ${have} no other rows.`;
  const more = counted(left, 'more row');
  return `This was a trial of ${which}; ${files} ${have} ${hasMore ? 'at least ' : ''}${more}.`;
}
