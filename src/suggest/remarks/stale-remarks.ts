import { parsePlaced } from '../../config/document.js';
import { isRecord } from '../../mapping/edit/record.js';
import { type WrittenUse, writtenUses } from '../../mapping/edit/uses.js';
import { remarksIn } from './remarks.js';

/** How every draft begins. */
const DRAFT = /^# Drafted by "cardline suggest"/;

/**
 * A draft that was edited, without the comments of the suggestion that the edit has made wrong: the reason for a column
 * that became something else, the request to fill in what is filled in now. What the edit does not concern stays.
 * @param before the text as it was, YAML without mistakes
 * @param after the text as it is
 */
export function withoutStaleRemarks(before: string, after: string): string {
  if (!DRAFT.test(before)) return after;
  const was = parsePlaced('', before);
  const is = parsePlaced('', after);
  const old = new Mapped(writtenUses(was.value));
  const now = new Mapped(writtenUses(is.value));
  const lines = after.split('\n');
  const beforeLines = before.split('\n');
  const gone = new Set<number>();
  for (const { line, subject } of remarksIn(was)) {
    const isStale =
      subject.columns.some((column) => old.ofColumn(column) !== now.ofColumn(column)) ||
      subject.targets.some((target) => old.ofTarget(target) !== now.ofTarget(target)) ||
      subject.words.some((word) => now.knows(word.target, word.value));
    const at = isStale ? sameLine(beforeLines, line, lines) : -1;
    if (at >= 0) gone.add(at);
  }
  for (const { target, path } of now.uses)
    if (old.ofTarget(target) !== now.ofTarget(target)) {
      const at = is.placeOf(path).line - 1;
      lines[at] = (lines[at] ?? '').replace(BEHIND, '');
    }
  const kept = lines.filter((_, index) => !gone.has(index));
  return withoutBareHeadings(kept, now).join('\n');
}

/** A reason behind a value. */
const BEHIND = / # (?:[01]\.\d\d: |no column has the role).*$/;
const HEADING = /^\s*# (?:no value of the list is like these|Columns that are left out:)/;
const BELOW_HEADING = /^\s*# {3}/;
const MISSING = /^# Missing: (?<places>.*)\. Search for FILL IN above\.$/;

/** Headings that nothing is left of go, and what is filled in is missing no longer. */
function withoutBareHeadings(lines: readonly string[], now: Mapped): string[] {
  return lines.flatMap((line, index) => {
    if (HEADING.test(line)) return BELOW_HEADING.test(lines[index + 1] ?? '') ? [line] : [];
    const places = MISSING.exec(line)?.groups?.['places']?.split(', ');
    if (!places) return [line];
    const left = places.filter((place) => !now.isFilled(targetAt(place)));
    return left.length === 0 ? [] : [`# Missing: ${left.join(', ')}. Search for FILL IN above.`];
  });
}

/** `client.fields.city (…)` is the target `fields.city`. */
const targetAt = (place: string): string => place.replace(/ \(.*$/, '').replace(/^client\./, '');

/** What a mapping does with columns and targets, as texts that can be compared. */
class Mapped {
  constructor(readonly uses: readonly WrittenUse[]) {}

  ofColumn(column: string): string {
    return JSON.stringify(
      this.uses.filter(({ columns }) => columns.includes(column)).map(({ target }) => target),
    );
  }

  ofTarget(wanted: string): string {
    return JSON.stringify(
      this.uses
        .filter(({ target }) => target === wanted)
        .map(({ columns, spec }) => (columns.length > 0 ? columns : spec)),
    );
  }

  isFilled(wanted: string): boolean {
    return this.uses.some(({ target }) => target === wanted);
  }

  /** Whether the map or the words for empty cells of a target have a value. */
  knows(wanted: string, value: string): boolean {
    return this.uses.some(({ target, spec }) => {
      if (target !== wanted || !isRecord(spec)) return false;
      const blank: unknown[] = Array.isArray(spec['blank']) ? spec['blank'] : [];
      const known = isRecord(spec['map']) ? Object.keys(spec['map']) : [];
      return [...blank, ...known].some((one) => folded(String(one)) === folded(value));
    });
  }
}

const folded = (text: string): string => text.trim().toLowerCase();

/** Where a line of a text stands in another one; -1 where it has gone already. Equal lines keep their order. */
function sameLine(from: readonly string[], line: number, to: readonly string[]): number {
  const text = from[line];
  const own = from.flatMap((one, index) => (one === text ? [index] : []));
  const there = to.flatMap((one, index) => (one === text ? [index] : []));
  return own.length === there.length ? (there[own.indexOf(line)] ?? -1) : -1;
}
