import type { Path } from '../../config/path.js';

/** Why an edit cannot be made, with what the words for it need. */
export interface RefusalParams {
  /** The mapping has no value that is made of the column, at the place or at all. */
  readonly not_used: { readonly column: string };
  /** The column is one of several in a template: only a person knows what is left without it. */
  readonly in_template: { readonly column: string; readonly path: string };
  /** The target has a constant or a template, which no column can be added to. */
  readonly not_joinable: { readonly target: string };
  /** Something else than keys and values, or a list, stands where the edit belongs. */
  readonly not_a_section: { readonly path: string };
  /** The place is written in a way that cannot be changed without losing something. */
  readonly not_writable: { readonly path: string };
  /** A name that YAML files cannot hold here. */
  readonly reserved_name: { readonly name: string };
  /** The new value holds signs that a pattern takes for something else: give the values to keep. */
  readonly needs_keep: { readonly value: string };
}

export type RefusalCode = keyof RefusalParams;

/** Why an edit cannot be made, as a code with what its words need, and the line where it shows. */
export type EditRefusal = {
  [Code in RefusalCode]: {
    readonly code: Code;
    readonly params: RefusalParams[Code];
    /** From 1; absent where no place of the text shows it. */
    readonly line?: number | undefined;
  };
}[RefusalCode];

/** Ends an edit that cannot be made. */
export class RefusedEdit extends Error {
  constructor(
    readonly refusal: EditRefusal,
    /** The place of the mapping that shows why. */
    readonly path: Path = [],
  ) {
    super(refusal.code);
  }
}
