import { codeOf, InputError, UsageError } from '../core/errors.js';
import type { Mode } from '../core/outcome.js';
import { defined } from '../core/text.js';
import type { SourceOptions } from '../core/table.js';
import { loadInstallation } from '../installation/installation.js';
import { openWithinLimits } from '../prepare/inputs/open.js';
import { namesOnCard, readForSuggestion } from '../suggest/read-file.js';
import { suggestTable, type Suggestion } from '../suggest/suggest.js';
import type { Remembered, RememberedColumn, Target } from '../suggest/columns.js';
import { takeInputs } from '../prepare/inputs/seen.js';
import { ledgerPath, hasLedger } from '../options/places.js';
import { basename, resolve } from 'node:path';
import { z } from 'zod';
import { withLedger } from '../history/history.js';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { OutputError, writePieces } from '../report/files.js';

/** A spreadsheet that a mapping is wanted for. */
export interface SuggestRequest {
  /** Path of the file; `-` is standard input. */
  readonly file: string;
  /** Path of the installation file: its card is what columns are suggested for. */
  readonly installation: string;
  /** Sheet, header row, encoding and delimiter; they become the mapping's `source:` section. */
  readonly source?: Pick<SourceOptions, 'sheet' | 'encoding' | 'delimiter'> & {
    readonly headerRow?: number | 'none';
  };
  /** Name of the file for the comments, where its path is that of a copy. @default the path */
  readonly name?: string;
  /** Country of phone numbers without a country code, two letters. Default: found out. */
  readonly country?: string;
  /** @default 'create' */
  readonly mode?: Mode;
  /** Path of the ledger, whose runs show what was done with columns of the same names. @default the installation's `ledger`, else 'cardline.db' */
  readonly ledger?: string;
}

/**
 * Drafts a mapping for a spreadsheet: looks at the names of its columns and at rows spread over it, tries the draft on
 * the first rows, and sends nothing.
 * @throws InputError when the file cannot be read, ConfigurationError when the installation cannot be used
 */
export async function suggestMapping(request: SuggestRequest): Promise<Suggestion> {
  const { file, source = {}, country, mode } = request;
  const installation = await loadInstallation(request.installation);
  const inputs = await takeInputs([file]);
  try {
    const [input = { path: file, name: file }] = inputs.files;
    const name = request.name ?? input.name;
    const { headerRow, ...options } = source;
    const read = await readForSuggestion(input.path, options, {
      ...{ name, open: openWithinLimits, header: { headerRow } },
      names: namesOnCard(installation.card),
    }).catch((error: unknown) => {
      if (!(error instanceof InputError)) throw error;
      // The person never saw the file that standard input was copied to.
      const { code, reason, place } = error;
      throw new InputError(code, reason, { ...place, file: name }, { cause: error });
    });
    const ledger = ledgerPath(request.ledger, installation);
    return suggestTable({
      table: read.table,
      source: { ...read.source, given: defined({ ...source }) },
      installation,
      remembered: await rememberedColumns(ledger, read.table.headers, mode ?? 'create'),
      ...defined({ country, mode }),
    });
  } finally {
    await inputs.release();
  }
}

const kept = z.object({
  mapping: z.string(),
  columns: z.record(z.string(), z.string().nullable()),
});

/** Runs that are looked at, the latest first. */
const MAX_RUNS = 200;
/** Share of the columns that a run must have had for its mapping to say something of this file. */
const SAME_HEADER = 0.6;

/** What the mappings of earlier runs of the mode did with columns of these names; nothing without a ledger. */
export async function rememberedColumns(
  ledgerFile: string,
  headers: readonly string[],
  mode: Mode,
): Promise<Remembered> {
  const columns = new Map<string, RememberedColumn>();
  if (!hasLedger(ledgerFile)) return columns;
  return withLedger(ledgerFile, async (ledger) => {
    const runs = (await ledger.runs()).filter((run) => run.mode === mode);
    for (const { run } of runs.slice(0, MAX_RUNS)) {
      const settings = kept.safeParse(await ledger.settingsOf(run)).data;
      if (!settings) continue;
      const known = headers.filter((header) => Object.hasOwn(settings.columns, header));
      if (known.length < headers.length * SAME_HEADER) continue;
      const mapping = basename(settings.mapping);
      for (const header of known) {
        const target = settings.columns[header] ?? null;
        if (!columns.has(header) && (target === null || isTarget(target)))
          columns.set(header, { target, mapping });
      }
    }
    return columns;
  });
}

const PARTS: ReadonlySet<string> = new Set<Target>([
  'phones',
  'emails',
  'addresses',
  'timeZone',
  'type',
  'clientRoleId',
  'uuid',
]);

const isTarget = (target: string): target is Target =>
  PARTS.has(target) || target.startsWith('fields.');

/** The last line of a draft: as long as it holds, nobody has changed the file. */
const MARK = /(?<=\n)# draft [0-9a-f]{16}\n?$/;

/**
 * Writes a drafted mapping to a file. One that is there is replaced only where it is a draft that nobody has changed.
 * @throws UsageError when somebody's work would be lost, OutputError when it cannot be written
 */
export async function writeDraft(path: string, yaml: string): Promise<void> {
  const file = resolve(path);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw new OutputError(file, error);
  });
  const mark = MARK.exec(text ?? '');
  const isAsDrafted = mark && mark[0].trimEnd() === markOf(text?.slice(0, mark.index) ?? '');
  if (text !== null && !isAsDrafted)
    throw new UsageError(
      `${file} is there, and is no draft that was left as it was. Give another name, or remove it first.`,
    );
  await writePieces(file, [yaml, `${markOf(yaml)}\n`]);
}

const markOf = (yaml: string): string =>
  `# draft ${createHash('sha256').update(yaml).digest('hex').slice(0, 16)}`;
