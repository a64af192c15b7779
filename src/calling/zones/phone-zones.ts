import { readFileSync } from 'node:fs';

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
interface Tree {
  /** Node by `node * 10 + digit`; 0 where there is none. */
  readonly next: Uint16Array;
  readonly found: readonly (PhoneZone | undefined)[];
}

let tree: Tree | undefined;

/** The zone of a number: E.164 without the plus; `null` where its first digits are unknown. */
export function zoneOfPhone(number: number): PhoneZone | null {
  const { next, found } = (tree ??= growTree());
  let node = 0;
  let best: PhoneZone | undefined;
  let rest = number;
  for (let unit = unitOf(number); unit >= 1; unit /= DIGITS) {
    const digit = Math.floor(rest / unit);
    rest -= digit * unit;
    node = next[node * DIGITS + digit] ?? 0;
    if (node === 0) break;
    best = found[node] ?? best;
  }
  return best ?? null;
}

/** What the first digit of a number counts. */
function unitOf(number: number): number {
  let unit = 1;
  while (unit * DIGITS <= number) unit *= DIGITS;
  return unit;
}

function growTree(): Tree {
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
  const text = readFileSync(new URL('./data/prefixes.txt', import.meta.url), 'utf8');
  for (const line of text.split('\n')) {
    if (line.startsWith('#')) continue;
    const [name = '', ...prefixes] = line.split(' ');
    const zone = zoneIn(name);
    for (const prefix of prefixes) found[nodeOf(prefix)] = zone;
  }
  return { next: Uint16Array.from(nodes.flat()), found };
}

function zoneIn(written: string): PhoneZone {
  const [first = NONE_LIKELIER, ...others] = written.split(SEVERAL);
  if (first === NONE_LIKELIER) return { zone: null, isCertain: false, zones: others };
  return { zone: first, isCertain: others.length === 0, zones: [first, ...others] };
}
