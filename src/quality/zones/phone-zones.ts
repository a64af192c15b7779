import { PREFIX_ZONES } from './prefix-zones.js';

/** Where a number is called, by its first digits. */
export interface PhoneZone {
  /** The zone, or the first of several; `null` where its first digits say nothing of the place. */
  readonly zone: string | null;
  readonly isCertain: boolean;
}

/**
 * Numbers that are used far from where they were given out: mobiles of Russia, all of which the table puts into Moscow,
 * mobiles of the United Kingdom, and toll-free numbers of North America. Their first digits say nothing.
 */
const NOWHERE = ['79', '447', '1800', '1822', '1833', '1844', '1855', '1866', '1877', '1888'];

const DIGITS = 10;
const ANYWHERE: PhoneZone = { zone: null, isCertain: false };

/** A tree of digits: where each digit leads from a node, and what is known there. */
interface Tree {
  /** Node by `node * 10 + digit`; 0 where there is none. */
  readonly next: Uint16Array;
  readonly found: readonly (PhoneZone | undefined)[];
  /** Nodes below which nothing is looked up. */
  readonly ends: ReadonlySet<number>;
}

let tree: Tree | undefined;

/** The zone of a number: E.164 without the plus; `null` where its first digits are unknown. */
export function zoneOfPhone(number: number): PhoneZone | null {
  const { next, found, ends } = (tree ??= growTree());
  let node = 0;
  let best: PhoneZone | undefined;
  let rest = number;
  for (let unit = unitOf(number); unit >= 1; unit /= DIGITS) {
    const digit = Math.floor(rest / unit);
    rest -= digit * unit;
    node = next[node * DIGITS + digit] ?? 0;
    if (node === 0) break;
    best = found[node] ?? best;
    if (ends.has(node)) break;
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
  for (const line of PREFIX_ZONES.trim().split('\n')) {
    const [name = '', ...prefixes] = line.split(' ');
    const isCertain = !name.endsWith('?');
    const zone: PhoneZone = { zone: isCertain ? name : name.slice(0, -1), isCertain };
    for (const prefix of prefixes) found[nodeOf(prefix)] = zone;
  }
  const ends = NOWHERE.map(nodeOf);
  for (const node of ends) found[node] = ANYWHERE;
  return { next: Uint16Array.from(nodes.flat()), found, ends: new Set(ends) };
}
