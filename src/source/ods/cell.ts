import type { Cell } from '../../core/table.js';
import { isoText } from '../xlsx/cells/date.js';
import { errorCell, type CellContent } from '../xlsx/cells/content.js';
import type { CellFormat } from '../xlsx/cells/format.js';
import { numericText } from '../xlsx/cells/value.js';

/** A cell as it is stored (OpenDocument 1.3, part 3, 19.385): its attributes by local name, and its paragraphs. */
export interface StoredCell {
  readonly attributes: ReadonlyMap<string, string>;
  readonly text: string;
  /** Name of its style: its own, or that of its row or column. */
  readonly style: string;
}

/** What the number formats of cells show, and how their days are counted. */
export interface Formats {
  /** By the name of the cell's style. */
  readonly kinds: ReadonlyMap<string, CellFormat>;
  readonly date1904: boolean;
}

const DAY_ALONE = /^\d{4}-\d\d-\d\d$/;

/** The text of a cell, the same as that of an `.xlsx` with the same cell; `null` when it is empty. */
export function odsText(
  { attributes, text, style }: StoredCell,
  { kinds, date1904 }: Formats,
): CellContent {
  switch (attributes.get('value-type')) {
    case 'float':
    case 'percentage':
    case 'currency':
      // Some programs store dates as numbers, with a format of dates.
      return numericText(attributes.get('value') ?? '', kinds.get(style) ?? 'number', date1904);
    case 'date': {
      const text = isoText(attributes.get('date-value')?.trim() ?? '');
      // LibreOffice leaves midnight out.
      const showsTime = kinds.get(style) === 'datetime';
      return orNull(showsTime && DAY_ALONE.test(text) ? `${text}T00:00:00` : text);
    }
    case 'time':
      return orNull(isoText(attributes.get('time-value')?.trim() ?? ''));
    case 'boolean':
      return orNull(attributes.get('boolean-value')?.trim().toLowerCase() ?? '');
    default:
      // An error is stored as an empty string, with its name as the paragraph, or with the type of an error.
      if (attributes.has('formula') && isError(text)) return errorCell(text);
      return orNull(attributes.get('string-value') ?? '') ?? orNull(text);
  }
}

/** What the paragraph of a formula that ended in an error holds, in any language: `#N/A`, `#REF!`, `Err:502`. */
const isError = (text: string): boolean =>
  /^(?:#[\p{Lu}\d/_¡¿]+[!?]?|(?:Err|Fehler) ?:\d{3})$/u.test(text);

/** Whether a formula was stored without its result; an empty text is one. */
export function lacksValue({ attributes }: StoredCell, text: CellContent): boolean {
  return text === null && attributes.has('formula') && attributes.get('value-type') !== 'string';
}

function orNull(text: string): Cell {
  return text === '' ? null : text;
}
