import { defined } from '../../core/defined.js';
import type { Mode } from '../../core/mode.js';
import { loadInstallation } from '../../installation/load.js';
import { suggestTable } from '../../suggest/suggest.js';
import type { ChosenSource } from '../mappings/edit-text.js';
import type { MappedColumnsRequest } from './mapped-columns.js';

export interface SuggestedMappingRequest extends Omit<MappedColumnsRequest, 'yaml' | 'mapping'> {
  /** How the spreadsheet is read, where that is not to be found out; it becomes a part of the mapping. */
  readonly source: ChosenSource;
  /** @default 'create' */
  readonly mode?: Mode;
}

/** The text of the mapping that is suggested for a spreadsheet. @throws as `mappedColumns` does */
export async function suggestedMapping(request: SuggestedMappingRequest): Promise<string> {
  const { file, name, ledger, tables, mode = 'create' } = request;
  const installation = await loadInstallation(request.installation);
  const { sheet, headerRow, encoding, delimiter } = request.source;
  const options = defined({
    sheet: sheet ?? undefined,
    encoding: encoding ?? undefined,
    delimiter: delimiter ?? undefined,
  });
  const header = defined({ headerRow: headerRow ?? undefined });
  const asked = { file, name, options, header, installation, mode, ledger };
  const read = await tables.readTable(asked);
  const { source } = await tables.readFile(asked);
  const given = { ...options, ...header };
  return suggestTable({ table: read.table, source: { ...source, given }, installation, mode }, read)
    .mapping;
}
