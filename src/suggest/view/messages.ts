/** What the view of columns says in words of its own, by code, with what the words need. */
interface ViewMessages {
  /** `47,902 of 48,231 are valid numbers`, by what the value becomes. */
  readonly good_phones: Counted;
  readonly good_emails: Counted;
  readonly good_numbers: Counted;
  readonly good_dates: Counted;
  readonly good_values: Counted;
}

interface Counted {
  readonly good: number;
  readonly filled: number;
}

/** How many of the cells that were looked at can be used: a code with what its words need, for a page in any language. */
export type GoodMessage = {
  [Code in keyof ViewMessages]: { readonly code: Code; readonly params: ViewMessages[Code] };
}[keyof ViewMessages];
