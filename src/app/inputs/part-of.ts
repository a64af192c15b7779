import type { RowPart } from '../../core/table.js';

/** The part of the rows that a request is about; `undefined`: all of them. */
export function partOf({ rows, limit }: RowPart): RowPart | undefined {
  return rows === undefined && limit === undefined ? undefined : { rows, limit };
}
