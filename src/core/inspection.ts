import type { FieldValue } from './client/card.js';
import type { ApplicationState } from './change.js';

/**
 * What a comparison says of a row.
 * - `match`: the card is there, its fields are as in the spreadsheet, and it is in the campaign, where there is one;
 * - `different`: fields of the card have other values;
 * - `missing`: there is no card;
 * - `not_in_campaign`: the card is as it should be, but has no call application in the campaign.
 */
export const VERDICTS = ['match', 'different', 'missing', 'not_in_campaign'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A field that differs. */
export interface Difference {
  readonly field: string;
  /** The value that the spreadsheet gives it. */
  readonly sheet: FieldValue;
  /** The value that the card has. */
  readonly center: FieldValue;
}

/** What was found of a row in the contact center. */
export interface Inspection {
  readonly verdict: Verdict;
  /** Internal id of the card. */
  readonly clientId: number | null;
  readonly differences: readonly Difference[];
  /** The call application in the campaign; `null` when there is none, or no campaign was asked for. */
  readonly application: ApplicationState | null;
  /** What else there is to say, for the person. */
  readonly remark?: string;
}
