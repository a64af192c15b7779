/** What the view of columns says in words of its own, by code, with what the words need. */
export interface ViewMessages {
  /** `47,902 of 48,231 are valid numbers`, by what the value becomes. */
  readonly good_phones: Counted;
  readonly good_emails: Counted;
  readonly good_numbers: Counted;
  readonly good_dates: Counted;
  readonly good_values: Counted;
  /** The file has several columns of this name: no mapping can name one of them. */
  readonly duplicate_header: { readonly column: string };
  /** The column has no name: no mapping can name it. */
  readonly no_header: { readonly index: number };
}

interface Counted {
  readonly good: number;
  readonly filled: number;
}

export type ViewCode = keyof ViewMessages;

/** A sentence as a code with what its words need, so that a page has it in any language. */
export type ViewMessage = MessageOf<ViewCode>;

/** How many of the cells that were looked at can be used. */
export type GoodMessage = MessageOf<Extract<ViewCode, `good_${string}`>>;

type MessageOf<Codes extends ViewCode> = {
  [Code in Codes]: { readonly code: Code; readonly params: ViewMessages[Code] };
}[Codes];
