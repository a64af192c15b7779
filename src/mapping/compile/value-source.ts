import { headerName } from '../../core/cell-text.js';
import type { Cell } from '../../core/table.js';
import type { Path } from '../../config/path.js';
import type { ValueObject } from '../schema/value.js';
import { fill, templatePieces } from '../transforms/template.js';
import { clearBlanks } from './blank.js';
import type { CompileContext } from './context.js';

type Cells = readonly Cell[];

/** The cells that a value is made of as one text; `null` when there is none. */
export type Raw = (cells: Cells) => string | null;

/** The cell at a position; blank is nothing. */
export function cellReader(at: number): Raw {
  return (cells) => filledText(cells[at]);
}

function filledText(cell: Cell | undefined): string | null {
  if (cell === undefined || cell === null || cell === '') return null;
  // Most cells begin with a letter or digit, and are not looked at any further.
  const first = cell.charCodeAt(0);
  return first > SPACE && first < FIRST_WIDE && first !== NO_BREAK_SPACE ? cell : orNull(cell);
}

const [SPACE, NO_BREAK_SPACE] = [0x20, 0xa0];
/** The first of the wide spaces; Latin, Greek and Cyrillic letters are before it. */
const FIRST_WIDE = 0x1680;

export function orNull(text: string): string | null {
  return text.trim() === '' ? null : text;
}

/** Where a value comes from. */
export interface ValueSource {
  readonly label: string | null;
  readonly raw: Raw;
  /** The cells that it is made of. */
  readonly positions: readonly number[];
}

/** Resolves where a value comes from to positions in the row. */
export function valueSource(spec: ValueObject, path: Path, context: CompileContext): ValueSource {
  return withoutBlanks(spec, sourceOf(spec, path, context));
}

/** Words that count as empty in these columns are taken out before anything else is done. */
function withoutBlanks({ blank }: ValueObject, source: ValueSource): ValueSource {
  if (blank === undefined) return source;
  const clear = clearBlanks(blank, source.positions);
  return { ...source, raw: (cells) => source.raw(clear(cells)) };
}

function sourceOf(spec: ValueObject, path: Path, context: CompileContext): ValueSource {
  if (spec.column !== undefined) {
    const at = context.column(spec.column, [...path, 'column']);
    return { label: headerName(spec.column), raw: cellReader(at), positions: [at] };
  }
  if (spec.columns !== undefined) {
    const positions = spec.columns.map((name, index) =>
      context.column(name, [...path, 'columns', index]),
    );
    const label = spec.columns.map(headerName).join(', ');
    return { label, raw: joined(positions, spec.join ?? ' '), positions };
  }
  if (spec.template !== undefined) return templateSource(spec.template, path, context);
  const constant = String(spec.value);
  return { label: null, raw: () => constant, positions: [] };
}

function joined(positions: readonly number[], separator: string): Raw {
  return (cells) => {
    let text: string | null = null;
    for (const at of positions) {
      const cell = filledText(cells[at]);
      if (cell !== null) text = text === null ? cell : text + separator + cell;
    }
    return text;
  };
}

/** A template without any value in it is no value; what stands around the cells does not count. */
function templateSource(template: string, path: Path, context: CompileContext): ValueSource {
  const pieces = templatePieces(template, [...path, 'template'], context, false);
  const positions = pieces.filter((piece) => typeof piece === 'number');
  const raw: Raw = (cells) =>
    positions.length === 0 || positions.some((at) => filledText(cells[at]) !== null)
      ? orNull(fill(pieces, cells, ''))
      : null;
  const label = [...template.matchAll(COLUMN)].map(([, name = '']) => headerName(name)).join(', ');
  return { label, raw, positions };
}

const COLUMN = /(?<!\{)\{([^{}]+)\}/g;
