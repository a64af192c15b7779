import type { ColumnUse } from '../../mapping/columns/column-uses.js';
import { type CompiledMapping, compileMapping } from '../../mapping/compile.js';
import type { Installation } from '../../installation/installation.js';
import type { LoadedMapping } from '../../mapping/load.js';

/** Cells by their headers; absent or empty: nothing is filled in. */
export type Cells = Readonly<Record<string, string>>;

/** Tries out what a mapping makes of cells, since no list of rules could know it as well. */
export interface Trial {
  /** Whether the mapping finds nothing wrong with this column, whatever it finds in the others. The cell is filled in. */
  accepts(column: string, cells: Cells): boolean;
  /** Whether the row becomes what is sent. */
  isWhole(cells: Cells): boolean;
  /** Columns of which at least one has to be filled in, for each value that an empty row lacks. */
  readonly lacking: readonly (readonly string[])[];
}

/** @throws ConfigurationError when the mapping does not suit the card */
export function trialOf(
  mapping: LoadedMapping,
  { card, clientRoles }: Installation,
  uses: readonly ColumnUse[],
): Trial {
  const headers = [...new Set(uses.map(({ column }) => column))];
  const ofPhones = uses.filter(({ target }) => target === 'phone').map(({ column }) => column);
  const phoneColumns = [...new Set(ofPhones)];
  const request = { mapping, card, clientRoles, headers, file: 'the template' };
  const whole = compileMapping(request);
  // A row that is left out says nothing of its cells.
  const unfiltered = compileMapping({ ...request, mapping: { ...mapping, where: undefined } });
  const rowOf = (cells: Cells): (string | null)[] =>
    headers.map((header) => (cells[header] ?? '') || null);
  const problemsOf = (compiled: CompiledMapping, cells: Cells) => {
    const row = compiled.map(rowOf(cells));
    return row.status === 'client' ? [] : row.problems;
  };
  return {
    accepts: (column, cells) =>
      problemsOf(unfiltered, cells).every((problem) => !columnsIn(problem.column).includes(column)),
    isWhole: (cells) => whole.map(rowOf(cells)).status === 'client',
    lacking: problemsOf(unfiltered, {}).flatMap(({ code, column }) => {
      if (code === NO_PHONE) return [phoneColumns];
      return code === REQUIRED ? [columnsIn(column).filter((name) => headers.includes(name))] : [];
    }),
  };
}

/** Codes of problems: a value is missing, or a client has no phone at all. */
const [REQUIRED, NO_PHONE] = ['required', 'no_phone'];

/** A value of several columns names them all. A header that holds a comma stands for itself. */
const columnsIn = (label: string | null): string[] =>
  label === null ? [] : [...new Set([label, ...label.split(', ')])];
