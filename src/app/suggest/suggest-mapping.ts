import { InputError } from '../../core/errors.js';
import type { Mode } from '../../core/mode.js';
import { defined } from '../../core/defined.js';
import type { SourceOptions } from '../../core/table.js';
import { loadInstallation } from '../../installation/load.js';
import { openWithinLimits } from '../../prepare/inputs/open-within-limits.js';
import { readForSuggestion } from '../../suggest/read-file.js';
import { suggestTable } from '../../suggest/suggest.js';
import type { Suggestion } from '../../suggest/suggestion.js';
import { takeInputs } from '../inputs/inputs.js';
import { ledgerPath } from '../run/ledger-path.js';
import { rememberedColumns } from './remembered.js';

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
    }).catch(inNameOf(name));
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

/** The person never saw the file that standard input was copied to. */
function inNameOf(name: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(
      error.code,
      error.reason,
      { ...error.place, file: name },
      { cause: error },
    );
  };
}
