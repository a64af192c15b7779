import type { FieldValue } from '../core/client.js';

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
