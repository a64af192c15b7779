import { timeZone } from '../../core/hours.js';

/** Abbreviations as people write them. Those that mean zones far apart, such as IST, are not among them. */
const WORDS: Readonly<Record<string, string>> = {
  UTC: 'Etc/UTC',
  GMT: 'Etc/UTC',
  Z: 'Etc/UTC',
  MSK: 'Europe/Moscow',
  МСК: 'Europe/Moscow',
  SAMT: 'Europe/Samara',
  YEKT: 'Asia/Yekaterinburg',
  OMST: 'Asia/Omsk',
  KRAT: 'Asia/Krasnoyarsk',
  IRKT: 'Asia/Irkutsk',
  YAKT: 'Asia/Yakutsk',
  VLAT: 'Asia/Vladivostok',
  MAGT: 'Asia/Magadan',
  PETT: 'Asia/Kamchatka',
  EST: 'America/New_York',
  EDT: 'America/New_York',
  ET: 'America/New_York',
  CST: 'America/Chicago',
  CDT: 'America/Chicago',
  CT: 'America/Chicago',
  MST: 'America/Denver',
  MDT: 'America/Denver',
  MT: 'America/Denver',
  PST: 'America/Los_Angeles',
  PDT: 'America/Los_Angeles',
  PT: 'America/Los_Angeles',
  AKST: 'America/Anchorage',
  AKDT: 'America/Anchorage',
  HST: 'Pacific/Honolulu',
  AST: 'America/Halifax',
  ADT: 'America/Halifax',
  NST: 'America/St_Johns',
  NDT: 'America/St_Johns',
  BRT: 'America/Sao_Paulo',
  BST: 'Europe/London',
  WET: 'Europe/Lisbon',
  WEST: 'Europe/Lisbon',
  CET: 'Europe/Berlin',
  CEST: 'Europe/Berlin',
  MEZ: 'Europe/Berlin',
  MESZ: 'Europe/Berlin',
  EET: 'Europe/Athens',
  EEST: 'Europe/Athens',
  SAST: 'Africa/Johannesburg',
  JST: 'Asia/Tokyo',
  KST: 'Asia/Seoul',
  AWST: 'Australia/Perth',
  ACST: 'Australia/Adelaide',
  ACDT: 'Australia/Adelaide',
  AEST: 'Australia/Sydney',
  AEDT: 'Australia/Sydney',
  NZST: 'Pacific/Auckland',
  NZDT: 'Pacific/Auckland',
};

/** Zones without daylight saving time whose clocks are not ahead of UTC by whole hours, by minutes. */
const PARTS_OF_HOURS: Readonly<Record<number, string>> = {
  [-570]: 'Pacific/Marquesas',
  [210]: 'Asia/Tehran',
  [270]: 'Asia/Kabul',
  [330]: 'Asia/Kolkata',
  [345]: 'Asia/Kathmandu',
  [390]: 'Asia/Yangon',
  [525]: 'Australia/Eucla',
  [570]: 'Australia/Darwin',
};

/** `UTC+3`, `GMT -05:30`, `+0300` or `MSK+2`. */
const OFFSET = /^(UTC|GMT|MSK|МСК)?\s*([+\u2010-\u2013\u2212-])\s*(\d{1,2})(?::?([0-5]\d))?$/u;
const MOSCOW_MINUTES = 180;
/** Farthest whole hours that Etc has zones for, west and east. */
const [FARTHEST_WEST, FARTHEST_EAST] = [-12, 14];

const known = new Map<string, string | null>();
/** There are not many different ones in a list; one with more is not remembered on. */
const MAX_KNOWN = 10_000;

/** The IANA name of a zone as a cell has it: such a name, an offset or an abbreviation; `null` where it is none. */
export function zoneOfText(text: string): string | null {
  const found = known.get(text);
  if (found !== undefined) return found;
  const zone = resolved(text.trim());
  if (known.size < MAX_KNOWN) known.set(text, zone);
  return zone;
}

function resolved(text: string): string | null {
  const capitals = text.toUpperCase();
  const zone = WORDS[capitals] ?? offsetZone(capitals) ?? ianaName(text);
  return zone === null ? null : shortZone(zone);
}

function offsetZone(text: string): string | null {
  const found = OFFSET.exec(text);
  if (!found) return null;
  const [, word, sign, hours, minutes = '0'] = found;
  const written = (Number(hours) * 60 + Number(minutes)) * (sign === '+' ? 1 : -1);
  const isMoscow = word === 'MSK' || word === 'МСК';
  return fixedZone(written + (isMoscow ? MOSCOW_MINUTES : 0));
}

/** The zone whose clocks are always so many minutes ahead. The names of Etc have the sign reversed. */
function fixedZone(minutes: number): string | null {
  if (minutes === 0) return 'Etc/UTC';
  const hours = minutes / 60;
  if (!Number.isInteger(hours)) return PARTS_OF_HOURS[minutes] ?? null;
  if (hours < FARTHEST_WEST || hours > FARTHEST_EAST) return null;
  return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

let names: ReadonlyMap<string, string> | undefined;

/** The name in its own capitals, where this machine knows it. */
function ianaName(text: string): string | null {
  names ??= new Map(Intl.supportedValuesOf('timeZone').map((name) => [name.toLowerCase(), name]));
  const name = names.get(text.toLowerCase());
  if (name !== undefined) return name;
  return text.includes('/') && timeZone(text) !== undefined ? text : null;
}

/**
 * Names of zones that are longer than a client may have, and shorter ones with the same clocks from 2020 on: links of the
 * tz database, and neighbours with the same rules.
 */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  'America/Argentina/Buenos_Aires': 'America/Buenos_Aires',
  'America/Argentina/Catamarca': 'America/Catamarca',
  'America/Argentina/ComodRivadavia': 'America/Catamarca',
  'America/Argentina/La_Rioja': 'America/Buenos_Aires',
  'America/Argentina/Rio_Gallegos': 'America/Buenos_Aires',
  'America/Argentina/San_Juan': 'America/Buenos_Aires',
  'America/Argentina/San_Luis': 'America/Buenos_Aires',
  'America/Indiana/Indianapolis': 'America/Indianapolis',
  'America/Indiana/Petersburg': 'America/Indianapolis',
  'America/Kentucky/Louisville': 'America/Louisville',
  'America/Kentucky/Monticello': 'America/Louisville',
  'America/North_Dakota/Beulah': 'America/Chicago',
  'America/North_Dakota/Center': 'America/Chicago',
  'America/North_Dakota/New_Salem': 'America/Chicago',
};

/** An equal zone with a shorter name, where there is one; else the name itself. */
export function shortZone(name: string): string {
  return SHORT_NAMES[name] ?? name;
}
