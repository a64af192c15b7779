import type { Problem } from '../problem.js';
import { CALL_CODES } from '../time/call-time.js';
import type { ZoneSource } from '../time/zone-source.js';
import { partOfCode, QUALITY_PART_NAMES, type QualityPart } from './parts.js';

/** Rows that lose points for a part. */
export interface PartCounts {
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

/** What is to be known of a row for its quality. */
export interface QualityRow {
  readonly kind: 'sent' | 'rejected' | 'skipped';
  readonly problems: readonly Problem[];
  readonly remarks?: readonly Problem[] | undefined;
  readonly zoneFrom?: ZoneSource | undefined;
}

/** Codes of rows that are no part of the list: the mapping leaves them out, whatever they hold. */
const NO_PART = new Set(['filtered', 'after_table']);

/** Remarks that say when a client may be called, which costs a list no points. */
const CALL_REMARKS = new Set<string>(Object.values(CALL_CODES));

/** Whether the mapping takes a row, as far as what it holds is of interest. */
export const isTaken = ({ kind, problems }: Pick<QualityRow, 'kind' | 'problems'>): boolean =>
  kind !== 'skipped' || !problems.some(({ code }) => NO_PART.has(code));

/** Counts a row that loses no points. */
export function addGood(counts: QualityCounts): void {
  counts.rows++;
}

/** Counts a row. */
export function addQuality(counts: QualityCounts, row: QualityRow): void {
  const { kind, problems, remarks, zoneFrom } = row;
  if (!isTaken(row)) {
    counts.outside++;
    return;
  }
  counts.rows++;
  const isUnsure = zoneFrom === 'ambiguous' || zoneFrom === 'default';
  if (kind === 'sent' && !remarks && !isUnsure) return;
  const lost = lostFor(kind, problems);
  const touched = new Set(lost);
  if (isUnsure) touched.add('zone');
  for (const { code } of remarks ?? [])
    if (!CALL_REMARKS.has(code)) touched.add(partOfCode(code) ?? 'complete');
  for (const part of touched) counts.parts[part].rows++;
  for (const part of lost) counts.parts[part].lost++;
  if (lost.size > 0) counts.lost++;
}

/** The parts for which a row is not sent. Rows that are skipped since they are done, or for now, are no loss. */
function lostFor(kind: QualityRow['kind'], problems: readonly Problem[]): ReadonlySet<QualityPart> {
  const lost = new Set<QualityPart>();
  if (kind === 'sent') return lost;
  for (const { code } of problems) {
    const part = partOfCode(code) ?? (kind === 'rejected' ? 'complete' : undefined);
    if (part) lost.add(part);
  }
  return lost;
}

/** Counts rows that were sent as far as anybody knew, and repeat others. */
export function addDuplicates(counts: QualityCounts, rows: number): void {
  counts.lost += rows;
  counts.parts.unique.rows += rows;
  counts.parts.unique.lost += rows;
}

/** Adds what was counted elsewhere. */
export function addCounts(counts: QualityCounts, more: QualityCounts): void {
  counts.rows += more.rows;
  counts.lost += more.lost;
  counts.outside += more.outside;
  for (const part of QUALITY_PART_NAMES) {
    counts.parts[part].rows += more.parts[part].rows;
    counts.parts[part].lost += more.parts[part].lost;
  }
}
