import { TIME_ZONE_LENGTH } from '../../core/client.js';
import { timeZone } from '../../core/time.js';
import { readFileSync } from 'node:fs';

let zonesOf: ReadonlyMap<string, string> | undefined;

/** What `data/zone-words.tsv` has for an abbreviation, for minutes ahead of UTC, or for a long name. */
function zoneFor(kind: 'word' | 'minutes' | 'long', what: string): string | undefined {
  zonesOf ??= new Map(
    linesOf('zone-words.tsv').map((line) => {
      const at = line.lastIndexOf('\t');
      return [line.slice(0, at), line.slice(at + 1)];
    }),
  );
  return zonesOf.get(`${kind}\t${what}`);
}

const linesOf = (file: string): string[] =>
  readFileSync(new URL(`./data/${file}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('#'));

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
  const name = text.trim();
  const capitals = name.toUpperCase();
  const own = zoneFor('word', capitals) ?? offsetZone(capitals) ?? ianaName(name);
  const zone = own === null ? null : shortZone(own);
  if (known.size < MAX_KNOWN) known.set(text, zone);
  return zone;
}

/** The zone whose clocks are always so far ahead as an offset says. The names of Etc have the sign reversed. */
function offsetZone(text: string): string | null {
  const found = OFFSET.exec(text);
  if (!found) return null;
  const [, word, sign, hours, minutes = '0'] = found;
  const written = (Number(hours) * 60 + Number(minutes)) * (sign === '+' ? 1 : -1);
  const isMoscow = word === 'MSK' || word === 'МСК';
  const ahead = written + (isMoscow ? MOSCOW_MINUTES : 0);
  if (ahead === 0) return 'Etc/UTC';
  const whole = ahead / 60;
  if (!Number.isInteger(whole)) return zoneFor('minutes', String(ahead)) ?? null;
  if (whole < FARTHEST_WEST || whole > FARTHEST_EAST) return null;
  return `Etc/GMT${whole > 0 ? '-' : '+'}${Math.abs(whole)}`;
}

let names: ReadonlyMap<string, string> | undefined;

/** The name in its own capitals, where this machine knows it. */
function ianaName(text: string): string | null {
  names ??= new Map(Intl.supportedValuesOf('timeZone').map((name) => [name.toLowerCase(), name]));
  const name = names.get(text.toLowerCase());
  if (name !== undefined) return name;
  return text.includes('/') && timeZone(text) !== undefined ? text : null;
}

/** An equal zone with a shorter name, where the name is too long for a client and there is one; else the name itself. */
export const shortZone = (name: string): string =>
  name.length > TIME_ZONE_LENGTH ? (zoneFor('long', name) ?? name) : name;

/** Where a number is called, by its first digits. */
export interface PhoneZone {
  /** The zone, or the likeliest of several; `null` where none is. */
  readonly zone: string | null;
  /** Whether the number is bound to the zone: others of its country have other times, or it is given out anywhere. */
  readonly isCertain: boolean;
  /** The zones that it can be in, as far as they have different times; none where it is of no country. */
  readonly zones: readonly string[];
}

const DIGITS = 10;
const SEVERAL = '|';
/** Stands for the likeliest zone where there is none. */
const NONE_LIKELIER = '?';

/** A tree of digits: where each digit leads from a node, and what is known there. */
let tree: ReturnType<typeof growTree> | undefined;

/** The zone of a number: E.164 without the plus; `null` where its first digits are unknown. */
export function zoneOfPhone(number: number): PhoneZone | null {
  const { next, found } = (tree ??= growTree());
  let node = 0;
  let best: PhoneZone | undefined;
  let rest = number;
  // What the first digit of the number counts, and then the others.
  let unit = 1;
  while (unit * DIGITS <= number) unit *= DIGITS;
  for (; unit >= 1; unit /= DIGITS) {
    const digit = Math.floor(rest / unit);
    rest -= digit * unit;
    node = next[node * DIGITS + digit] ?? 0;
    if (node === 0) break;
    best = found[node] ?? best;
  }
  return best ?? null;
}

function growTree() {
  const nodes: number[][] = [Array<number>(DIGITS).fill(0)];
  const found: (PhoneZone | undefined)[] = [];
  const nodeOf = (prefix: string): number => {
    let node = 0;
    for (const digit of prefix) {
      const children = nodes[node] ?? [];
      const known = children[Number(digit)] ?? 0;
      if (known !== 0) node = known;
      else {
        node = children[Number(digit)] = nodes.length;
        nodes.push(Array<number>(DIGITS).fill(0));
      }
    }
    return node;
  };
  for (const line of linesOf('prefixes.txt')) {
    const [name = '', ...prefixes] = line.split(' ');
    const [first = NONE_LIKELIER, ...others] = name.split(SEVERAL);
    const zone: PhoneZone =
      first === NONE_LIKELIER
        ? { zone: null, isCertain: false, zones: others }
        : { zone: first, isCertain: others.length === 0, zones: [first, ...others] };
    for (const prefix of prefixes) found[nodeOf(prefix)] = zone;
  }
  /** Node by `node * 10 + digit`; 0 where there is none. */
  return { next: Uint16Array.from(nodes.flat()), found };
}

/** A range of numbers and the zone in which they are: E.164 without the plus, both ends included. */
export interface PlanRange {
  readonly from: number;
  readonly to: number;
  readonly zone: string;
}

/** Where numbers were given out, by a list of ranges: more exact than first digits. */
export interface NumberPlan {
  /** The zone of a number; `null` where no range has it, or ranges with several zones. */
  zoneOf(number: number): string | null;
}

/** A plan of ranges in any order. Where ranges with different zones overlap, neither says anything. */
export function numberPlan(ranges: readonly PlanRange[]): NumberPlan {
  const edges = ranges
    .flatMap(({ from, to, zone }) => [
      { at: from, zone, by: 1 },
      { at: to + 1, zone, by: -1 },
    ])
    .sort((a, b) => a.at - b.at);
  const begins: number[] = [];
  /** From each beginning to the next. */
  const zones: (string | null)[] = [];
  const open = new Map<string, number>();
  for (const [index, { at, zone, by }] of edges.entries()) {
    const count = (open.get(zone) ?? 0) + by;
    if (count === 0) open.delete(zone);
    else open.set(zone, count);
    if (edges[index + 1]?.at === at) continue;
    const [only, second] = open.keys();
    begins.push(at);
    zones.push(second === undefined ? (only ?? null) : null);
  }
  return {
    zoneOf: (number) => {
      let [low, high] = [0, begins.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((begins[middle] ?? Infinity) <= number) low = middle + 1;
        else high = middle;
      }
      return zones[low - 1] ?? null;
    },
  };
}
