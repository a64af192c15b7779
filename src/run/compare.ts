import type { FieldValue } from '../core/client.js';
import type { ApplicationState, ClientCard, Difference, Inspection } from '../core/center.js';
import { shortenedMessage } from '../core/text.js';

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

/** How the values of a field are brought to one form before they are compared. */
export interface FieldRule {
  /** Type of the card field. */
  readonly type: 'Number' | 'text';
  /** Whether the mapping changes the case of its values: then it says nothing. */
  readonly ignoreCase: boolean;
}

/**
 * One text for values that mean the same: numbers however they are written, white space collapsed, dates with or
 * without an empty time of day and in either order of their parts, nothing and an empty text alike.
 */
export function normalForm(value: FieldValue, { type, ignoreCase }: FieldRule): string {
  if (value === null) return '';
  const text = String(value).normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
  if (type === 'Number') return numberForm(text);
  const date = dateForm(text);
  if (date !== null) return date;
  return ignoreCase ? text.toLocaleLowerCase('und') : text;
}

const NUMBER = /^([+-]?)0*(\d+)(?:\.(\d*?)0*)?$/;

/** Digits are compared as text: a number with twenty of them is not rounded. */
function numberForm(text: string): string {
  const match = NUMBER.exec(text);
  if (!match) return text;
  const [, sign, whole = '', fraction = ''] = match;
  const digits = fraction === '' ? whole : `${whole}.${fraction}`;
  return sign === '-' && digits !== '0' ? `-${digits}` : digits;
}

const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.0+)?)?)?$/;
const DOTTED_DATE = /^(\d{2})\.(\d{2})\.(\d{4})(?: (\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/** A date, with its time of day unless that is midnight; `null` when the text is none. */
function dateForm(text: string): string | null {
  const iso = ISO_DATE.exec(text);
  if (iso) return dated(`${iso[1]}-${iso[2]}-${iso[3]}`, iso.slice(4));
  const dotted = DOTTED_DATE.exec(text);
  return dotted && dated(`${dotted[3]}-${dotted[2]}-${dotted[1]}`, dotted.slice(4));
}

function dated(day: string, time: readonly (string | undefined)[]): string {
  const [hour = '00', minute = '00', second = '00'] = time;
  const clock = `${hour}:${minute}:${second}`;
  return clock === '00:00:00' ? day : `${day}T${clock}`;
}
