import type { FieldValue } from '../core/client.js';
import type { ApplicationState, ClientCard, Difference, Inspection } from '../core/center.js';
import { shortenedMessage } from '../core/text.js';
import { type FieldRule, normalForm } from './normal-form.js';

/** What a row says of its client. */
export interface Expected {
  readonly fields: Readonly<Record<string, FieldValue>>;
  /** Whether it should have a call application; `null` when that is of no interest. */
  readonly campaignId: number | null;
  /** Internal id that the card should have. */
  readonly clientId?: number | null | undefined;
  /** Whether there should be no card, or no call application, at all. */
  readonly gone?: 'card' | 'application' | undefined;
}

/** What the contact center has. `null`: there is no such card. */
export interface Found {
  readonly card: ClientCard | null;
  readonly applications: readonly ApplicationState[];
}

/** How fields are compared, by name. */
export type FieldRules = Readonly<Record<string, FieldRule>>;

const AS_TEXT: FieldRule = { type: 'text', ignoreCase: false };

/** Compares what a row says with what the contact center has. */
export function compare(expected: Expected, found: Found, rules: FieldRules): Inspection {
  const { card, applications } = found;
  const application =
    applications.find(({ campaignId }) => campaignId === expected.campaignId) ?? null;
  if (expected.gone !== undefined) return compareGone(expected, found, application);
  if (card === null)
    return { verdict: 'missing', clientId: null, differences: [], application: null };
  const differences = differencesOf(expected, card, rules);
  const isOutside = expected.campaignId !== null && application === null;
  const fits = isOutside ? 'not_in_campaign' : 'match';
  return {
    verdict: differences.length > 0 ? 'different' : fits,
    clientId: card.id,
    differences,
    application,
    ...(isOutside && differences.length > 0 ? { remark: OUTSIDE } : {}),
  };
}

const OUTSIDE = 'The client is not in the campaign either.';

/** A card or call application that should not be there any more. */
function compareGone(
  { gone }: Expected,
  { card }: Found,
  application: ApplicationState | null,
): Inspection {
  const isThere = gone === 'card' ? card !== null : application !== null;
  const remark =
    gone === 'card' ? 'The card is still there.' : 'The client is still in the campaign.';
  return {
    verdict: isThere ? 'different' : 'match',
    clientId: card?.id ?? null,
    differences: [],
    application,
    ...(isThere ? { remark } : {}),
  };
}

function differencesOf(
  { fields, clientId }: Expected,
  card: ClientCard,
  rules: FieldRules,
): Difference[] {
  const differences: Difference[] = [];
  if (clientId != null && card.id !== clientId)
    differences.push({ field: 'id', sheet: clientId, center: card.id });
  for (const [field, sheet] of Object.entries(fields)) {
    const center = scalar(card.fields[field]);
    // Most cells are equal as they are.
    if (sheet === center) continue;
    const rule = rules[field] ?? AS_TEXT;
    if (normalForm(sheet, rule) !== normalForm(center, rule))
      differences.push({ field, sheet, center: shown(center) });
  }
  return differences;
}

/** What is reported of a value: as long as the contact center likes, it would be kept for every row. */
const shown = (center: FieldValue): FieldValue =>
  typeof center === 'string' ? shortenedMessage(center) : center;

/** What a card holds that no field can have is reported as JSON. */
function scalar(value: unknown): FieldValue {
  if (value === undefined || value === null) return null;
  const isScalar =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isScalar ? value : JSON.stringify(value);
}
