import { parsePlaced, type PlacedDocument } from '../../config/document.js';
import { isRecord, type WrittenUse, writtenUses } from '../../mapping/edit/places.js';
import { ConfigurationError } from '../../core/errors.js';

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

/** What a comment of a draft is about. */
interface RemarkSubject {
  readonly columns: readonly string[];
  readonly targets: readonly string[];
  /** Values that the map of a target lacks. */
  readonly words: readonly { readonly target: string; readonly value: string }[];
}

interface Remark {
  /** Index of its line. */
  readonly line: number;
  readonly subject: RemarkSubject;
}

/** With these words a remark of `suggest` begins; lines behind it belong to it. */
const REASON = /^(?:[01]\.\d\d|DECIDE): /;
const FILL_IN = /^(?:FILL IN|perhaps): (?<key>"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^:]+):/;
const ADD = /add the column (?<column>"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^?]+)\?/;
const UNKNOWN = /^no value of the list is like these/;
const LEFT_OUT = /^Columns that are left out:/;
const MISSING_REMARK = /^Missing: /;
const OTHER = /^(?:perhaps also|made of|Phones without|campaign):? /;
const STARTS = [REASON, FILL_IN, UNKNOWN, LEFT_OUT, MISSING_REMARK, OTHER];

const NOTHING: RemarkSubject = { columns: [], targets: [], words: [] };

/** The comments of a draft that are about columns or targets, with what each is about. */
function remarksIn(document: PlacedDocument): Remark[] {
  const lines = document.text.split('\n');
  const uses = new Map(
    writtenUses(document.value).map((use) => [document.placeOf(use.path).line - 1, use]),
  );
  const comments = lines.flatMap((text, line) =>
    /^\s*#/.test(text) ? [{ line, text: text.replace(/^\s*# ?/, '') }] : [],
  );
  const remarks: Remark[] = [];
  let place = 0;
  while (place < comments.length) {
    const length = lengthOf(comments, place);
    const item = comments.slice(place, place + length);
    remarks.push(...remarksOf(item, { lines, uses }));
    place += length;
  }
  return remarks;
}

interface Comment {
  readonly line: number;
  readonly text: string;
}

interface Around {
  readonly lines: readonly string[];
  /** Values of the mapping by the index of their line. */
  readonly uses: ReadonlyMap<number, WrittenUse>;
}

/** How many comments make a remark: up to the next one that begins, or the next line that is no comment. */
function lengthOf(comments: readonly Comment[], from: number): number {
  let length = 1;
  for (;;) {
    const [last, next] = [comments[from + length - 1], comments[from + length]];
    const goesOn = last && next?.line === last.line + 1;
    if (!goesOn || STARTS.some((start) => start.test(next.text))) return length;
    length++;
  }
}

function remarksOf(item: readonly Comment[], around: Around): Remark[] {
  const [first, ...others] = item;
  if (!first) return [];
  const { text } = first;
  if (UNKNOWN.test(text)) return unknownWords(item, around);
  if (LEFT_OUT.test(text))
    return others.map(({ line, text: one }) => ({ line, subject: ofColumns(namesIn(one)) }));
  const subject = subjectOf(text, others, around, item.at(-1)?.line ?? first.line);
  return subject ? item.map(({ line }) => ({ line, subject })) : [];
}

function subjectOf(
  text: string,
  others: readonly Comment[],
  around: Around,
  last: number,
): RemarkSubject | undefined {
  const filled = FILL_IN.exec(text)?.groups?.['key'];
  if (filled !== undefined)
    return { ...NOTHING, targets: namesIn(`${filled}:`).flatMap(targetsOf) };
  if (!REASON.test(text)) return undefined;
  const added = ADD.exec(text)?.groups?.['column'];
  if (added !== undefined) return ofColumns(namesIn(`${added}:`));
  if (others.length > 0) return ofOption(others.map((one) => one.text).join('\n'));
  const use = around.uses.get(last + 1);
  return use && ofUse(use);
}

const ofColumns = (columns: readonly string[]): RemarkSubject => ({ ...NOTHING, columns });

const ofUse = ({ columns, target }: WrittenUse): RemarkSubject =>
  columns.length > 0 ? ofColumns(columns) : { ...NOTHING, targets: [target] };

/** A line that a person may take the sign off. */
function ofOption(text: string): RemarkSubject {
  const value = valueOf(text);
  const entries: unknown[] = Array.isArray(value)
    ? value
    : Object.values(isRecord(value) ? value : {});
  const keys = isRecord(value) ? Object.keys(value) : [];
  const uses = writtenUses({ client: { emails: entries } });
  return {
    ...NOTHING,
    columns: uses.flatMap(({ columns }) => columns),
    targets: keys.flatMap(targetsOf),
  };
}

/** A key stands in one of these places. */
const targetsOf = (key: string): string[] => [`fields.${key}`, key];

/** The values that a map lacks are written below it: each line goes with its value. */
function unknownWords(item: readonly Comment[], { uses }: Around): Remark[] {
  const [first, ...others] = item;
  const owner = Math.max(...[...uses.keys()].filter((line) => line < (first?.line ?? 0)));
  const target = uses.get(owner)?.target;
  if (!first || target === undefined) return [];
  return others.flatMap(({ line, text }) =>
    namesIn(text).map((value) => ({ line, subject: { ...NOTHING, words: [{ target, value }] } })),
  );
}

/** The key of a line as YAML has it: `"a: b": …` names `a: b`. */
function namesIn(text: string): string[] {
  const value = valueOf(/^\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^:]+):/.exec(text)?.[0] ?? '');
  return isRecord(value) ? Object.keys(value) : [];
}

function valueOf(text: string): unknown {
  try {
    return parsePlaced('', text).value;
  } catch (error) {
    if (error instanceof ConfigurationError) return undefined;
    throw error;
  }
}
