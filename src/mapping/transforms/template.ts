import { filled } from '../../config/scalar.js';
import type { Cell } from '../../core/table.js';
import type { Path } from '../../config/path.js';
import { transform, type TransformContext } from './kind.js';
import { onText } from './step.js';

/** A piece of a template: plain text, the position of a column, or the value so far. */
export type TemplatePiece = string | number | typeof SO_FAR;
export const SO_FAR = Symbol('value so far');

/**
 * Takes a template apart: `{Column}` is a cell, `{{` and `}}` are plain brackets, and `{value}` is the value so far
 * where there is one (`soFar`).
 */
export function templatePieces(
  template: string,
  path: Path,
  context: TransformContext,
  soFar: boolean,
): TemplatePiece[] {
  const pieces: TemplatePiece[] = [];
  for (const [token, name] of template.matchAll(/\{\{|\}\}|\{([^{}]*)\}|[^{}]+|[{}]/g)) {
    if (name !== undefined) {
      pieces.push(soFar && name.trim() === 'value' ? SO_FAR : context.column(name, path));
    } else if (token === '{' || token === '}') {
      context.mistake(
        path,
        `a "${token}" stands alone in the template.`,
        `Write "${token}${token}".`,
      );
    } else {
      pieces.push(token === '{{' || token === '}}' ? token.charAt(0) : token);
    }
  }
  return pieces;
}

/** The text of a template for one row. Empty cells leave nothing behind. */
export function fill(
  pieces: readonly TemplatePiece[],
  cells: readonly Cell[],
  value: string,
): string {
  let text = '';
  for (const piece of pieces) {
    if (typeof piece === 'string') text += piece;
    else text += (piece === SO_FAR ? value : cells[piece]) ?? '';
  }
  return text;
}

const options = filled.describe(
  'Text with {Column} for cells of the row and {value} for the value so far; {{ and }} are plain brackets.',
);

export const template = transform(options, (text, path, context) => {
  const pieces = templatePieces(text, path, context, true);
  return onText((value, cells) => fill(pieces, cells, value));
});
