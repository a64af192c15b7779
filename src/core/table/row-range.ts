/** A part of the data rows, for a trial. */
export interface RowPart {
  /** Numbers of the first and the last row, as a spreadsheet program shows them, in each input. @default all rows */
  readonly rows?: RowRange | undefined;
  /** Data rows that are read at most, over all inputs. @default all */
  readonly limit?: number | undefined;
}

export interface RowRange {
  readonly first: number;
  readonly last: number;
}

export const isPart = ({ rows, limit }: RowPart): boolean =>
  rows !== undefined || limit !== undefined;

/** Says of row after row whether it belongs to the part. */
export class PartFilter {
  taken = 0;

  constructor(private readonly part: RowPart) {}

  /** Counts the row when it belongs to the part. */
  takes(row: number): boolean {
    const { rows } = this.part;
    if (this.isFull || (rows && (row < rows.first || row > rows.last))) return false;
    this.taken++;
    return true;
  }

  /** Whether no row of any input is left for the part. */
  get isFull(): boolean {
    return this.part.limit !== undefined && this.taken >= this.part.limit;
  }

  /** How much of the part has been taken, 0 to 1; 0 where the part does not say how large it is. */
  share(inputs: number): number {
    const { rows, limit } = this.part;
    const inRange = rows ? (rows.last - rows.first + 1) * inputs : Infinity;
    return Math.min(1, this.taken / Math.min(limit ?? Infinity, inRange));
  }

  /** Whether no row of this input after this one belongs to the part. */
  isOver(row: number): boolean {
    return this.isFull || (this.part.rows !== undefined && row >= this.part.rows.last);
  }
}
