import { timeZone } from '../../core/hours.js';
import { normalForm } from '../header/normal-form.js';
import { LEGAL_FORMS, SALUTATIONS, VALUE_WORDS, type ValueMeaning } from '../words/values.js';
import { ZONE_WORDS } from '../words/zones.js';
import { isDate } from './dates.js';

const EMAIL = /^[^\s@,;<>]+@[^\s@,;.<>]+(?:\.[^\s@,;.<>]+)+$/;
const UUID = /^\{?[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\}?$/i;
const NUMBER =
  /^[-+−]?[\p{Sc}]?\s?\d[\d\s\u00a0\u202f.,']*\s?(?:[\p{Sc}%]|[A-Z]{3}|руб\.?|р\.|zł|kr|тг|грн\.?)?$/u;
const TIME = /^\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m)?$/i;
const URL = /^(?:https?:\/\/|www\.)\S+$|^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?:\/\S*)?$/i;
const IP = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const PHONE = /^\+?[\d\s().\-/\u00a0]{7,}(?:\s*(?:x|ext\.?|доб\.?)\s*\d+)?$/i;
const NAME = /^\p{Lu}?[\p{L}\p{M}'’.-]+(?:[\s,]+[\p{L}\p{M}'’.-]+){0,4}$/u;
const ADDRESS = /^(?=.*\d)(?=.*\p{L}{3}).*[,\s].+$/u;

/** What a single cell looks like. A cell may look like several things. */
export const KINDS = {
  email: (text) => text.split(/[;,]\s*/).every((part) => EMAIL.test(part)),
  uuid: (text) => UUID.test(text),
  number: (text) => NUMBER.test(text),
  integer: (text) => /^\d+$/.test(text),
  time: (text) => TIME.test(text),
  date: isDate,
  url: (text) => URL.test(text) && !EMAIL.test(text),
  ip: (text) => IP.test(text),
  /** By its signs; whether such a number exists is asked of the library. */
  phoneLike: (text) => {
    const digits = text.replace(/\D/g, '').length;
    return PHONE.test(text) && digits >= 7 && digits <= 15 && !isDate(text) && !IP.test(text);
  },
  zone: (text) => zoneOf(text) !== null,
  yesNo: (text) => ['yes', 'no'].includes(meaningOfValue(text) ?? '') && !/^[\p{L}]$/u.test(text),
  name: (text) => NAME.test(text) && text.length <= 60,
  address: (text) => ADDRESS.test(text) && text.length >= 10 && !isDate(text),
  salutation: (text) => SALUTATIONS.has(text.toLowerCase().replace(/\.$/, '')),
  company: (text) =>
    text
      .toLowerCase()
      .split(/[\s.,"«»“”]+/)
      .some((word) => LEGAL_FORMS.has(word)),
  /** How far something has come. */
  status: (text) => meaningsOfValue(text).some((meaning) => STATUSES.has(meaning)),
  letters: (text) => /\p{L}{2}/u.test(text),
} as const satisfies Record<string, (text: string) => boolean>;

const STATUSES: ReadonlySet<ValueMeaning> = new Set<ValueMeaning>([
  'new',
  'open',
  'won',
  'lost',
  'closed',
]);

export type Kind = keyof typeof KINDS;

const zones = new Map<string, string>();
for (const [zone, words] of Object.entries(ZONE_WORDS))
  for (const word of words.split('|')) zones.set(normalForm(word), zone);

/** The IANA name for what a cell says of a time zone; `null` when it says nothing of one. */
export function zoneOf(text: string): string | null {
  const trimmed = text.trim();
  if (/^[A-Z][A-Za-z]+\/[A-Za-z_+\-0-9/]+$/.test(trimmed)) return timeZone(trimmed)?.name ?? null;
  const known = zones.get(normalForm(trimmed.replace(/^\((?:utc|gmt)[^)]*\)\s*/i, '')));
  if (known !== undefined) return known;
  const offset = /^\(?(utc|gmt|msk|мск)?\s*([+\-−]\d{1,2})(?:[:.]?(00|0))?\)?$/i.exec(trimmed);
  if (!offset) return null;
  const base = /^(?:msk|мск)$/i.test(offset[1] ?? '') ? 3 : 0;
  const hours = base + Number((offset[2] ?? '0').replace('−', '-'));
  if (hours < -12 || hours > 14) return null;
  return hours === 0 ? 'UTC' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

const valueMeanings = new Map<string, ValueMeaning[]>();
for (const [meaning, words] of Object.entries(VALUE_WORDS))
  for (const word of words.split('|')) {
    const form = normalForm(word) || word;
    valueMeanings.set(form, [...(valueMeanings.get(form) ?? []), meaning as ValueMeaning]);
  }

/** What a value says of its column, such as a stage or a language. */
export function meaningsOfValue(text: string): readonly ValueMeaning[] {
  return valueMeanings.get(normalForm(text) || text) ?? [];
}

function meaningOfValue(text: string): ValueMeaning | undefined {
  const meanings = meaningsOfValue(text);
  return meanings.find((meaning) => meaning === 'yes' || meaning === 'no') ?? meanings[0];
}
