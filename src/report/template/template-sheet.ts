/** What a cell of an example holds. */
export type ExampleValue = string | number | Date;

/** One column of a workbook that people fill in. */
export interface TemplateColumn {
  /** Exactly as the mapping names it. */
  readonly header: string;
  readonly isRequired: boolean;
  /** Number format of the column, such as `@` for text or `dd.mm.yyyy`. */
  readonly format: string;
  /** What may be chosen from; empty: anything may be written. */
  readonly choices: readonly string[];
  /** Whether something else than the choices may be written too. */
  readonly isOpen: boolean;
  /** Shown where the header is pointed at. */
  readonly note: string;
  readonly example: ExampleValue;
}

/** A workbook that people fill in. */
export interface Template {
  /** Name of the sheet that is filled in. */
  readonly sheet: string;
  /** Where it stands among the sheets, from 1. */
  readonly position: 1 | 2;
  /** Row of the header, from 1. */
  readonly headerRow: number;
  /** Whether other sheets would be imported too: then there are none. */
  readonly isAlone: boolean;
  readonly columns: readonly TemplateColumn[];
}
