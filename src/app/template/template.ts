import { UsageError } from '../../core/errors.js';
import type { Mode } from '../../core/mode.js';
import { loadInstallation } from '../../installation/load.js';
import { loadMapping, type LoadedMapping } from '../../mapping/load.js';
import type { Template } from '../../report/template/template-sheet.js';
import { sheetName } from '../../report/xlsx/sheet-name.js';
import { lookupTable } from '../../prepare/lookup-table.js';
import { outputPlace } from '../output-place.js';
import { describeColumns } from './describe-columns.js';

export interface TemplateRequest {
  /** Path of the mapping file. */
  readonly mapping: string;
  readonly mode?: Mode | undefined;
  /** Path of the installation file. */
  readonly installation: string;
  /** Path of the workbook. */
  readonly out: string;
  /** Whether a file that is there is replaced. */
  readonly force: boolean;
}

export interface TemplateResult {
  /** Whether there was a file, which was replaced. */
  readonly replaced: boolean;
  readonly columns: number;
  /** Headers of the columns that have to be filled in. */
  readonly required: readonly string[];
  /** Whether the mapping takes the row of examples; else a person should correct it. */
  readonly isExampleTaken: boolean;
}

/**
 * Writes a workbook for whoever fills in lists for a mapping.
 * @throws UsageError, ConfigurationError, OutputError; then nothing is written
 */
export async function makeTemplate(request: TemplateRequest): Promise<TemplateResult> {
  if (!/\.xlsx$/i.test(request.out))
    throw new UsageError(`${request.out} is no workbook. Give a file that ends with .xlsx.`);
  const { file, isThere } = outputPlace(request.out, request.force);
  const installation = await loadInstallation(request.installation);
  const mapping = await loadMapping(request.mapping, {
    readTable: lookupTable,
    mode: request.mode,
  });
  const { columns, isExampleTaken } = describeColumns(mapping, installation);
  if (columns.length === 0)
    throw new UsageError(`${request.mapping} names no columns, so there is nothing to fill in.`);
  // The writer is large, and nothing else needs it.
  const { writeTemplate } = await import('../../report/template/write-template.js');
  await writeTemplate(file, { ...placeOf(mapping, request.mapping), columns });
  const required = columns.filter(({ isRequired }) => isRequired).map(({ header }) => header);
  return { replaced: isThere, columns: columns.length, required, isExampleTaken };
}

/** Where the mapping looks for the rows. */
function placeOf({ source }: LoadedMapping, file: string): Omit<Template, 'columns'> {
  const { sheet, allSheets = false, headerRow = 1 } = source ?? {};
  if (headerRow === 'none')
    throw new UsageError(
      `${file} reads columns by their letters ("headerRow: none"), and a template has headers. Name the columns instead.`,
    );
  const position = typeof sheet === 'number' ? sheet : 1;
  if (position !== 1 && position !== 2)
    throw new UsageError(
      `${file} reads sheet ${position}, and a template has two. Name the sheet in "source.sheet" instead.`,
    );
  const name = typeof sheet === 'string' ? sheet : 'Data';
  if (sheetName(name, 1) !== name)
    throw new UsageError(
      `${file} reads the sheet "${name}", which no workbook can have. Correct "source.sheet".`,
    );
  return { sheet: name, position, headerRow, isAlone: allSheets };
}
