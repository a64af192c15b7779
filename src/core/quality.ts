import { type Problem, rowProblem } from './outcome.js';
import { CALL_CODES, type ZoneSource } from './time.js';

/** Rows that are named as examples of what a check counts. */
const EXAMPLES = 3;

/** Where a row stands. */
export interface CheckedPlace {
  readonly input: number;
  readonly sheet: string | null;
  readonly row: number;
}

/** How many rows of a list are so as a check looks for, and the first of them. */
export interface HitCount {
  hits: number;
  readonly examples: CheckedPlace[];
}

export const noHits = (): HitCount => ({ hits: 0, examples: [] });

/** Counts a row. */
export function addHit(count: HitCount, place: CheckedPlace): void {
  count.hits++;
  if (count.examples.length < EXAMPLES) count.examples.push(place);
}

/** Adds what was counted of later rows. */
export function addHits(count: HitCount, more: HitCount): void {
  count.hits += more.hits;
  for (const place of more.examples)
    if (count.examples.length < EXAMPLES) count.examples.push(place);
}

/** What a check of a list came to. */
export interface CheckOutcome {
  /** What it counts, such as `invalid Mobile`. */
  readonly subject: string;
  readonly holds: boolean;
  readonly else: 'stop' | 'warn';
  /** Rows that are as it looks for, and those among which they were counted. */
  readonly rows: number;
  readonly of: number;
  /** How many are allowed, in words. */
  readonly limit: string;
  /** The first of the rows, with the index of their input. */
  readonly examples: readonly CheckedPlace[];
}

/**
 * What was found out about a list beside its single rows. `doubt`: a part of it may not be what it is taken for; `note`: it
 * is not as it should be, and what it means is certain all the same.
 */
export interface ListObservation {
  readonly kind: 'doubt' | 'note';
  /** What tells it from others: it counts once, however often it is found. */
  readonly about: string;
}

/** What is to be said to the person; one with an observation says something of the list. */
export interface Warning {
  readonly message: string;
  readonly observation?: ListObservation['kind'];
}

/** What observations cost of the 100 points: each doubt its own, up to a limit, and all notes together theirs. */
const OBSERVATION_POINTS = { doubt: 5, allDoubts: 25, notes: 1 } as const;

/** What the observations come to. */
export interface ObservationScore {
  readonly doubts: number;
  readonly notes: number;
  /** Points that they cost together. */
  readonly points: number;
}

/** `undefined` where nothing was found. */
function observationScore(found: readonly ListObservation[]): ObservationScore | undefined {
  const all = distinct(found);
  if (all.length === 0) return undefined;
  const doubts = all.filter(({ kind }) => kind === 'doubt').length;
  const notes = all.length - doubts;
  const { doubt, allDoubts, notes: forNotes } = OBSERVATION_POINTS;
  const points = Math.min(doubts * doubt, allDoubts) + (notes > 0 ? forNotes : 0);
  return { doubts, notes, points };
}

/** Each observation once. */
export function distinct(found: readonly ListObservation[]): ListObservation[] {
  const all = new Map(found.map((one) => [JSON.stringify([one.kind, one.about]), one]));
  return [...all.values()];
}

/** Rows that lose points for a part. */
interface PartCounts {
  /** Rows with something wrong in it, also such as are sent all the same. */
  rows: number;
  /** Those of them that are not sent for it. */
  lost: number;
}

/** What the rows of a list show of its quality. */
export interface QualityCounts {
  /** Rows that count: without those that the mapping does not take. */
  rows: number;
  /** Rows that are not sent for any of the parts. */
  lost: number;
  /** Rows that the mapping does not take, such as totals. */
  outside: number;
  readonly parts: Readonly<Record<QualityPart, PartCounts>>;
}

export function noQuality(): QualityCounts {
  const none = (): PartCounts => ({ rows: 0, lost: 0 });
  return {
    ...{ rows: 0, lost: 0, outside: 0 },
    parts: {
      ...{ phones: none(), unique: none(), suppressed: none() },
      ...{ zone: none(), fresh: none(), complete: none() },
    },
  };
}

/** What is to be known of a row for its quality; `outcome`: any but `rejected` and `skipped` is that of a row that was sent. */
export interface QualityRow {
  readonly outcome: string;
  readonly problems: readonly Problem[];
  readonly remarks?: readonly Problem[] | undefined;
  readonly zoneFrom?: ZoneSource | undefined;
}

/** Codes of rows that are no part of the list: the mapping leaves them out, whatever they hold. */
const NO_PART = new Set(['filtered', 'after_table']);

/** Remarks that say when a client may be called, which costs a list no points. */
const CALL_REMARKS = new Set<string>(Object.values(CALL_CODES));

/** Whether the mapping takes a row, as far as what it holds is of interest. */
export const isTaken = ({ outcome, problems }: QualityRow): boolean =>
  outcome !== 'skipped' || !problems.some(({ code }) => NO_PART.has(code));

/** Counts a row. What the contact center refused says nothing of the list. */
export function addQuality(counts: QualityCounts, row: QualityRow): void {
  const { outcome, remarks, zoneFrom } = row;
  if (!isTaken(row)) {
    counts.outside++;
    return;
  }
  counts.rows++;
  const isUnsure = zoneFrom === 'ambiguous' || zoneFrom === 'default';
  if (outcome !== 'rejected' && outcome !== 'skipped' && !remarks && !isUnsure) return;
  const lost = lostFor(row);
  const touched = new Set(lost);
  if (isUnsure) touched.add('zone');
  for (const { code } of remarks ?? [])
    if (!CALL_REMARKS.has(code)) touched.add(partOfCode(code) ?? 'complete');
  for (const part of touched) counts.parts[part].rows++;
  for (const part of lost) counts.parts[part].lost++;
  if (lost.size > 0) counts.lost++;
}

/** The parts for which a row is not sent. Rows that are skipped since they are done, or for now, are no loss. */
function lostFor({ outcome, problems }: QualityRow): ReadonlySet<QualityPart> {
  const lost = new Set<QualityPart>();
  if (outcome !== 'rejected' && outcome !== 'skipped') return lost;
  for (const { code } of problems) {
    const part = partOfCode(code) ?? (outcome === 'rejected' ? 'complete' : undefined);
    if (part) lost.add(part);
  }
  return lost;
}

/** What a part of the score comes to. */
interface PartScore extends Readonly<PartCounts> {
  /** Points, rounded to tenths, and how many there are. */
  readonly points: number;
  readonly of: number;
}

/** How good a list is. */
export interface ListQuality {
  /** From 0 to 100; 100 where no row loses a point, and nothing was found about the list as a whole. */
  readonly score: number;
  /** Rows that count, and those among them that are not sent. */
  readonly rows: number;
  readonly lost: number;
  /** Rows that do not count, since the mapping does not take them; absent where there are none. */
  readonly outside?: number;
  /** By part; one that was not looked at is absent. */
  readonly parts: Readonly<Partial<Record<QualityPart, PartScore>>>;
  /** What was found about the list as a whole; absent where nothing was. */
  readonly whole?: ObservationScore;
  /** What the lost rows cost, with the price of one. */
  readonly price?: number;
  readonly cost?: number;
}

/**
 * The score of a list. Each part has a share of 100 points by its weight, and loses of it the share of rows with
 * something wrong in it; what was found about the list as a whole is taken off the sum. `null` where there is no row, or
 * no part counts.
 */
export function scoreOf(
  counts: QualityCounts,
  weights: QualityWeights,
  price?: number,
  observations: readonly ListObservation[] = [],
): ListQuality | null {
  const parts = QUALITY_PART_NAMES.filter((part) => (weights[part] ?? 0) > 0);
  const all = parts.reduce((sum, part) => sum + (weights[part] ?? 0), 0);
  if (counts.rows === 0 || all === 0) return null;
  const whole = observationScore(observations);
  let score = 100 - (whole?.points ?? 0);
  const scores = parts.map((part): readonly [QualityPart, PartScore] => {
    const its = counts.parts[part];
    const of = ((weights[part] ?? 0) / all) * 100;
    const lost = of * Math.min(1, its.rows / counts.rows);
    score -= lost;
    return [part, { ...its, points: tenths(of - lost), of: tenths(of) }];
  });
  const { rows, lost, outside } = counts;
  return {
    // Rounded down, but for the tiny errors of sums: a list with anything wrong has less than 100.
    score: Math.max(0, Math.floor(score + 1e-9)),
    ...{ rows, lost },
    ...(outside === 0 ? {} : { outside }),
    parts: Object.fromEntries(scores),
    ...(whole ? { whole } : {}),
    ...(price === undefined ? {} : { price, cost: Math.round(lost * price * 100) / 100 }),
  };
}

const tenths = (points: number): number => Math.round(points * 10) / 10;

/** So many rows may have a phone together, as families and small offices do. */
export const MAY_SHARE = 4;

/** The remark on a row whose phone more rows have: it may be one that a program put where none was known. */
export const SHARED_PHONE: Problem = rowProblem(
  'shared_phone',
  `A phone of this row is that of ${MAY_SHARE} rows before it: it may stand for one that is not known.`,
);

interface PartTraits {
  /** What it counts for, in relation to the others, unless the mapping says otherwise. */
  readonly weight: number;
  /** What is good about a row that does not lose points for it, as a label. */
  readonly label: string;
  readonly meaning: string;
  /** Codes of problems and remarks by which a row loses points for it. */
  readonly codes: readonly string[];
}

/** What makes a list good, in the order in which it is shown. */
export const QUALITY_PARTS = {
  phones: {
    weight: 30,
    label: 'phones valid',
    meaning: 'Phones that can exist.',
    codes: ['not_a_phone', 'no_phone'],
  },
  unique: {
    weight: 20,
    label: 'unique',
    meaning: 'Rows that repeat no other one, and whose phone is not that of many.',
    codes: ['duplicate', 'duplicate_phone', 'shared_phone'],
  },
  suppressed: {
    weight: 15,
    label: 'not suppressed',
    meaning: 'Rows without a phone that must not be called.',
    codes: ['suppressed'],
  },
  zone: {
    weight: 10,
    label: 'time zone certain',
    meaning: 'Rows whose time zone is sure.',
    codes: ['ambiguous_time_zone', 'no_time_zone', 'not_a_time_zone'],
  },
  fresh: {
    weight: 10,
    label: 'fresh',
    meaning: 'Rows that are not too old.',
    codes: ['too_old', 'age_unknown'],
  },
  complete: {
    weight: 15,
    label: 'complete',
    meaning: 'Rows that are neither rejected nor remarked for anything else.',
    codes: [],
  },
} as const satisfies Record<string, PartTraits>;
export type QualityPart = keyof typeof QUALITY_PARTS;
export const QUALITY_PART_NAMES = Object.keys(QUALITY_PARTS) as readonly QualityPart[];

/** What each part counts for; a part that was not looked at is absent. */
export type QualityWeights = Readonly<Partial<Record<QualityPart, number | undefined>>>;

const PART_OF_CODE = new Map<string, QualityPart>(
  QUALITY_PART_NAMES.flatMap((part) =>
    QUALITY_PARTS[part].codes.map((code) => [code, part] as const),
  ),
);

/** The part that a code belongs to; all rules of duplicates have codes that begin alike. */
function partOfCode(code: string): QualityPart | undefined {
  return PART_OF_CODE.get(code) ?? (code.startsWith('duplicate') ? 'unique' : undefined);
}
