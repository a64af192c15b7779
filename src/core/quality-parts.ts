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
export function partOfCode(code: string): QualityPart | undefined {
  return PART_OF_CODE.get(code) ?? (code.startsWith('duplicate') ? 'unique' : undefined);
}
