import type { Problem } from '../core/outcome.js';
import { headerName, type Cell } from '../core/table.js';
import type { OpenedInput } from '../prepare/plan.js';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { codeOf } from '../core/errors.js';
import type { KeptRow, PreparedChunk } from '../core/prepared.js';
import { makeFolder, removeAtExit } from '../files/regular-file.js';
import { open, rm } from 'node:fs/promises';
import type { Database } from 'better-sqlite3';

/** Rows that are rejected for the same reason. A row with several problems is in several groups. */
export interface ProblemGroup {
  /** Its number among the groups of a check, in the order of their first rows. */
  readonly id: number;
  /** Header of the column, or of several with commas; `null` where the whole row is meant. */
  readonly column: string | null;
  /** Code of the problem; `null` for the group that has what is too much for groups of its own. */
  readonly code: string | null;
  /** In the words for its first row. */
  readonly message: string;
  readonly rows: number;
  /** Rows in which nothing else is wrong. */
  readonly alone: number;
  /** The most frequent values, at most 20. Personal data. */
  readonly values: readonly ValueCount[];
  readonly hasMoreValues: boolean;
}

interface Group extends Omit<ProblemGroup, 'rows' | 'alone' | 'values' | 'hasMoreValues'> {
  rows: number;
  alone: number;
  readonly values: FrequentValues;
}

/** Groups of their own; more come of a file that was read in a wrong way. */
const MAX_GROUPS = 500;
/** Values that are counted: many in the first groups, which are those of nearly every mapping. */
const MAX_VALUES = { usual: 500, further: 50 } as const;
const USUAL_GROUPS = 50;
const SHOWN_VALUES = 20;

const OTHERS = 'Further problems, of too many different kinds to be told apart.';

/** Groups the problems of rejected rows. Memory does not grow with their number. */
export class ProblemGroups {
  readonly #groups = new Map<string, Group>();
  readonly #byId: Group[] = [];

  /** Counts the problems of a row; returns the ids of its groups, each once, in the order of the problems. */
  add(problems: readonly Problem[]): number[] {
    const found = new Map<Group, Problem>();
    for (const problem of problems) {
      const group = this.#groupOf(problem);
      if (!found.has(group)) found.set(group, problem);
    }
    for (const [group, { value }] of found) {
      group.rows++;
      if (found.size === 1) group.alone++;
      if (value !== null) group.values.add(value, found.size === 1);
    }
    return [...found.keys()].map(({ id }) => id);
  }

  get(id: number): ProblemGroup | undefined {
    const group = this.#byId[id];
    return group && shown(group);
  }

  value(id: number, value: string): ValueCount | undefined {
    return this.#byId[id]?.values.get(value);
  }

  /** The largest first; equally large ones in the order of their first rows. */
  list(): ProblemGroup[] {
    return this.#byId.map(shown).sort((a, b) => b.rows - a.rows);
  }

  #groupOf({ column, code, message }: Problem): Group {
    const found = this.#groups.get(keyOf(column, code));
    if (found) return found;
    return this.#byId.length < MAX_GROUPS
      ? this.#begin(column, code, message)
      : (this.#groups.get(keyOf(null, null)) ?? this.#begin(null, null, OTHERS));
  }

  #begin(column: string | null, code: string | null, message: string): Group {
    const id = this.#byId.length;
    const max = id < USUAL_GROUPS ? MAX_VALUES.usual : MAX_VALUES.further;
    const group = { id, column, code, message, rows: 0, alone: 0, values: new FrequentValues(max) };
    this.#groups.set(keyOf(column, code), group);
    this.#byId.push(group);
    return group;
  }
}

const keyOf = (column: string | null, code: string | null): string =>
  JSON.stringify([column, code]);

const shown = ({ values, ...group }: Group): ProblemGroup => ({
  ...group,
  values: values.top(SHOWN_VALUES),
  hasMoreValues: values.hasMoreThan(SHOWN_VALUES),
});

/** A value, and how many rows have it. */
export interface ValueCount {
  /** As it stands in the file; of a long one its beginning. Personal data. */
  readonly value: string;
  readonly rows: number;
  /** Rows in which nothing else is wrong. */
  readonly alone: number;
  /** Whether there may be more such rows: the value was forgotten for a while, to bound memory. */
  readonly isMin: boolean;
}

interface Counted {
  rows: number;
  alone: number;
  readonly missed: number;
}

/** Counts values in bounded memory: of too many different ones, the rarest are forgotten. */
export class FrequentValues {
  readonly #values = new Map<string, Counted>();
  #forgotten = 0;

  /** `max`: values that are kept; up to twice as many are at a time. */
  constructor(private readonly max: number) {}

  add(value: string, isAlone: boolean): void {
    let counted = this.#values.get(value);
    if (!counted) {
      if (this.#values.size >= 2 * this.max) this.#forgetRare();
      counted = { rows: 0, alone: 0, missed: this.#forgotten };
      this.#values.set(value, counted);
    }
    counted.rows++;
    if (isAlone) counted.alone++;
  }

  get(value: string): ValueCount | undefined {
    const counted = this.#values.get(value);
    return counted && shownValue(value, counted);
  }

  /** The most frequent first; equally frequent ones in the order in which they came. */
  top(count: number): ValueCount[] {
    const found: [string, Counted][] = [];
    for (const entry of this.#values) {
      const last = found.at(-1);
      if (found.length === count && last && last[1].rows >= entry[1].rows) continue;
      const at = found.findIndex(([, { rows }]) => rows < entry[1].rows);
      found.splice(at < 0 ? found.length : at, 0, entry);
      if (found.length > count) found.pop();
    }
    return found.map(([value, counted]) => shownValue(value, counted));
  }

  /** Whether there are, or were, other values than these many. */
  hasMoreThan(count: number): boolean {
    return this.#forgotten > 0 || this.#values.size > count;
  }

  /** A value that comes again may have had as many rows as the most frequent one of those that are forgotten. */
  #forgetRare(): void {
    const rare = [...this.#values].sort(([, a], [, b]) => b.rows - a.rows).slice(this.max);
    for (const [value] of rare) this.#values.delete(value);
    this.#forgotten = Math.max(
      this.#forgotten,
      ...rare.map(([, { rows, missed }]) => rows + missed),
    );
  }
}

const shownValue = (value: string, { rows, alone, missed }: Counted): ValueCount => ({
  ...{ value, rows, alone, isMin: missed > 0 },
});

/** Which rows to show. */
export interface PageRequest {
  /** Id of a group; `null`: rejected rows of all groups. @default null */
  readonly group?: number | null;
  /** How many rows of the group come before the page. @default 0 */
  readonly offset?: number;
  /** Rows of a page. @default 50 */
  readonly limit?: number;
  /** Columns to show beside those with a problem. @default all */
  readonly columns?: readonly string[];
}

export interface ProblemPage {
  /** Rows of the group that can be shown by now. */
  readonly total: number;
  readonly rows: readonly ProblemRow[];
}

/** A rejected row with the cells that were asked for. Personal data. */
export interface ProblemRow {
  /** Index and name of the input file. */
  readonly input: number;
  readonly file: string;
  readonly sheet: string | null;
  /** As a spreadsheet program shows it. */
  readonly row: number;
  readonly cells: readonly ProblemCell[];
  /** What is wrong with the row as a whole. */
  readonly problems: readonly CellProblem[];
}

export interface ProblemCell {
  readonly column: string;
  /** As it stands in the file, corrected where it was. */
  readonly value: Cell;
  /** Set where only the beginning of a long cell is shown. */
  readonly isCut?: true;
  /** What is wrong with it; empty for a good cell. */
  readonly problems: readonly CellProblem[];
}

export interface CellProblem {
  readonly code: string;
  readonly message: string;
}

const DEFAULT_LIMIT = 50;
/** Rows of a page at most: each is read by itself. */
const MAX_LIMIT = 1000;

/** A page of rejected rows, with the bad cells marked. */
export function problemPage(
  index: ProblemIndex,
  inputs: readonly OpenedInput[],
  { group = null, offset = 0, limit = DEFAULT_LIMIT, columns }: PageRequest,
): ProblemPage {
  const wanted = columns && new Set(columns.map((column) => column.trim()));
  const records = index.rows(group, offset, Math.min(limit, MAX_LIMIT));
  const rows = records.map(([input, sheet, row, cells, problems, cut]): ProblemRow => {
    const opened = inputs[input];
    const headers = opened?.headers.map(headerName) ?? [];
    const known = new Set(headers);
    const ofColumn = new Map<string, CellProblem[]>();
    const ofRow: CellProblem[] = [];
    for (const [label, code, message] of problems) {
      const names = columnsIn(label, known);
      if (names.length === 0) ofRow.push({ code, message });
      for (const name of names)
        ofColumn.set(name, [...(ofColumn.get(name) ?? []), { code, message }]);
    }
    return {
      ...{ input, sheet, row, problems: ofRow },
      file: opened?.name ?? '',
      cells: headers.flatMap((column, at): ProblemCell[] => {
        const wrong = ofColumn.get(column) ?? [];
        if (wanted && !wanted.has(column) && wrong.length === 0) return [];
        const cell = { column, value: cells[at] ?? null, problems: wrong };
        return [cut.includes(at) ? { ...cell, isCut: true } : cell];
      }),
    };
  });
  return { total: index.rowsOf(group), rows };
}

/** The columns that the label of a problem names: one, or several with commas. */
function columnsIn(label: string | null, known: ReadonlySet<string>): string[] {
  if (label === null) return [];
  if (known.has(label)) return [label];
  const names = label.split(', ').filter((name) => known.has(name));
  return [...new Set(names)];
}

/** A cell that is longer is kept in part, in characters. */
const CELL_LENGTH = 4000;

const record = z.tuple([
  ...([z.number(), z.string().nullable(), z.number()] as const), // input, sheet, row
  z.array(z.string().nullable()), // cells
  z.array(z.tuple([z.string().nullable(), z.string(), z.string()])), // column, code, message
  z.array(z.number()), // places of cells that are kept in part
]);
type ProblemRecord = z.output<typeof record>;

/** How much of the problems the index has. */
export interface Indexed {
  /** Rows that can be shown. */
  readonly rows: number;
  /** Size of its file. */
  readonly bytes: number;
  /** Why rows are missing that were counted; absent where none is. */
  readonly missing?: string;
}

/**
 * The rejected rows of a check in a private database, by the groups of their problems. Beyond `maxBytes`, or when the disk
 * is full, rows are counted and not kept.
 */
export class ProblemIndex {
  #all = 0;
  #ofGroups: readonly number[] = [];
  #bytes = 0;
  #missing: string | undefined;

  private constructor(
    private readonly database: Database,
    private readonly remove: () => Promise<void>,
    private readonly maxBytes: number,
  ) {
    // Nobody opens it again: what a crash leaves of it is of no use.
    database.pragma('journal_mode = MEMORY');
    database.pragma('synchronous = OFF');
    database.exec(`CREATE TABLE problem (place INTEGER PRIMARY KEY, record TEXT);
      CREATE TABLE member (grp INTEGER, place INTEGER, problem INTEGER, PRIMARY KEY (grp, place)) WITHOUT ROWID`);
  }

  static async create(folder: string, maxBytes: number): Promise<ProblemIndex> {
    // Few who could watch a check do: the database is loaded for them alone.
    const { default: Database } = await import('better-sqlite3');
    makeFolder(folder);
    const path = join(folder, `check-${randomBytes(6).toString('hex')}.index`);
    await (await open(path, 'wx+', 0o600)).close();
    const forget = removeAtExit(path);
    const remove = async (): Promise<void> => {
      await rm(path, { force: true });
      forget();
    };
    return new ProblemIndex(new Database(path), remove, maxBytes);
  }

  get indexed(): Indexed {
    const missing = this.#missing === undefined ? {} : { missing: this.#missing };
    return { rows: this.#all, bytes: this.#bytes, ...missing };
  }

  /** How many rows of a group can be shown; `null`: of all groups. */
  rowsOf(group: number | null): number {
    return group === null ? this.#all : (this.#ofGroups[group] ?? 0);
  }

  /** Keeps the rejected rows of a chunk. A disk that is full ends the index, and not the check. */
  add({ input, sheet, kept }: PreparedChunk, groups: ProblemGroups): void {
    const grouped = kept.map((row) => [row, groups.add(row.problems)] as const);
    if (this.#missing !== undefined || kept.length === 0) return;
    const insert = this.database.prepare('INSERT INTO problem VALUES (?, ?)');
    const belong = this.database.prepare('INSERT INTO member VALUES (?, ?, ?)');
    let [all, bytes] = [this.#all, this.#bytes];
    const ofGroups = [...this.#ofGroups];
    try {
      this.database.transaction(() => {
        for (const [row, ids] of grouped) {
          const text = recordText(input, sheet, row);
          bytes += Buffer.byteLength(text) + ids.length * MEMBER_BYTES;
          if (bytes > this.maxBytes) {
            this.#missing = 'They take more room than is given to them; mend the others first.';
            return;
          }
          insert.run(all, text);
          for (const id of ids) belong.run(id, (ofGroups[id] = (ofGroups[id] ?? 0) + 1), all);
          all++;
        }
      })();
      [this.#all, this.#ofGroups] = [all, ofGroups];
      this.#bytes = Math.min(bytes, this.maxBytes);
    } catch (error) {
      this.#missing = `The index could not be written (${codeOf(error)}).`;
    }
  }

  rows(group: number | null, from: number, count: number): ProblemRecord[] {
    const found = (
      group === null
        ? this.database.prepare(
            'SELECT record FROM problem WHERE place >= ? ORDER BY place LIMIT ?',
          )
        : this.database.prepare(
            `SELECT record FROM member JOIN problem ON problem.place = member.problem
             WHERE grp = ? AND member.place > ? ORDER BY member.place LIMIT ?`,
          )
    )
      .pluck()
      .all(...(group === null ? [] : [group]), from, count);
    return found.map((text) => record.parse(JSON.parse(String(text))));
  }

  async close(): Promise<void> {
    this.database.close();
    await this.remove();
  }
}

/** What it takes about to know a row of a group again. */
const MEMBER_BYTES = 16;

function recordText(
  input: number,
  sheet: string | null,
  { row, cells, problems }: KeptRow,
): string {
  const cut: number[] = [];
  const kept = cells.map((cell, at) => {
    if (cell === null || cell.length <= CELL_LENGTH) return cell;
    cut.push(at);
    return cell.slice(0, CELL_LENGTH);
  });
  const wrong = problems.map(({ column, code, message }) => [column, code, message]);
  return JSON.stringify([input, sheet, row, kept, wrong, cut]);
}
