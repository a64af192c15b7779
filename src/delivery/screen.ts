import { KEY_WORDS, type PreparedChunk, type PreparedClients } from '../core/prepared.js';
import {
  duplicateOfRow,
  duplicateOfRun,
  type DuplicateKind,
  type DuplicateRule,
  type EarlierRows,
  kindOfKey,
  type LaterRow,
  type LaterRows,
  type SeenAt,
  type SeenKeys,
} from '../core/duplicates.js';
import type { Problem } from '../core/problem.js';

/** What rows are compared with. */
export interface Screen {
  readonly duplicates: DuplicateRule;
  /** Names of the input files, for messages. */
  readonly inputs: readonly string[];
  readonly seen: SeenKeys;
  /** What earlier runs have sent. @default nothing counts */
  readonly earlier?: EarlierRows | undefined;
  /** Which rows give way to later ones. @default none: the first of them goes */
  readonly later?: LaterRows | undefined;
}

/** What the screen lets pass, and what it holds back. */
export interface Screened {
  /** Indexes of the clients that go on. */
  readonly passed: readonly number[];
  /** Rows that repeat another one: their position in the chunk, and why. */
  readonly duplicates: readonly (readonly [at: number, why: Problem])[];
}

/** What was decided when a chunk was put on record. */
export interface RecordedScreen {
  /** Rows that were held back, by their positions. */
  readonly held: ReadonlyMap<number, Problem>;
  /** Positions of rows for which nothing was sent yet: another run may have sent them since. */
  readonly waiting: ReadonlySet<number>;
}

/**
 * Of the clients with a key one passes, the first or the last; the others are held back. A client that is held back
 * leaves no keys: its other phones are not in the contact center.
 * @param recorded what was decided when the chunk was put on record: it holds, but for rows that wait and that another run
 * has sent since
 */
export function screenChunk(
  screen: Screen,
  chunk: PreparedChunk,
  number: number,
  recorded?: RecordedScreen,
): Screened {
  const { clients } = chunk;
  const { rows } = clients;
  if (screen.duplicates.by.length === 0 && !recorded)
    return { passed: [...clients.at.keys()], duplicates: [] };
  const later = screen.later?.ofChunk(number);
  const passed: number[] = [];
  const duplicates: [number, Problem][] = [];
  let to = 0;
  for (let index = 0; index < clients.at.length; index++) {
    const at = clients.at[index] ?? 0;
    const from = to;
    to = clients.keyEnds[index] ?? 0;
    const why = recorded
      ? (recorded.held.get(at) ?? sentSince(screen, recorded, clients, at, from, to))
      : reasonOf(screen, chunk, from, to, later?.get(at));
    if (why) duplicates.push([at, why]);
    else {
      // Which rows go is known before, where later ones win.
      if (!screen.later) addKeys(screen, chunk, from, to, rows[index] ?? 0, recorded !== undefined);
      passed.push(index);
    }
  }
  return { passed, duplicates };
}

/** Why a client that waits is held back now; `undefined` where nobody else has sent it since. */
function sentSince(
  { earlier, duplicates }: Screen,
  { waiting }: RecordedScreen,
  { keys }: PreparedClients,
  at: number,
  from: number,
  to: number,
): Problem | undefined {
  const found = waiting.has(at) ? earlier?.find(keys, from, to) : null;
  return found ? duplicateOfRun(found, duplicates.days) : undefined;
}

/** Why a client is held back; `undefined` where it goes on. */
function reasonOf(
  screen: Screen,
  { clients: { keys }, input }: PreparedChunk,
  from: number,
  to: number,
  later: LaterRow | undefined,
): Problem | undefined {
  const { duplicates, inputs } = screen;
  const before = screen.earlier?.find(keys, from, to);
  if (before) return duplicateOfRun(before, duplicates.days);
  const other = screen.later ? later : firstSeen(screen, keys, from, to);
  if (!other) return undefined;
  const file = other.input === input ? null : (inputs[other.input] ?? 'another file');
  return duplicateOfRow(other.kind, other.row, file);
}

/** The only kind of keys by which rows are compared; `null` where all kinds count. */
const onlyKind = ({ by }: DuplicateRule): DuplicateKind | null =>
  by.length === 1 ? (by[0] ?? null) : null;

function firstSeen(
  { duplicates, seen }: Screen,
  keys: Uint32Array,
  from: number,
  to: number,
): (SeenAt & { readonly kind: DuplicateKind }) | null {
  const only = onlyKind(duplicates);
  for (let key = from; key < to; key++) {
    const offset = key * KEY_WORDS;
    if (only !== null && kindOfKey(keys, offset) !== only) continue;
    const found = seen.find(keys, offset);
    if (found) return { kind: kindOfKey(keys, offset), ...found };
  }
  return null;
}

/** `mayBeThere`: whether the first key may have been added before, too. */
function addKeys(
  { duplicates, seen }: Screen,
  { clients: { keys }, input }: PreparedChunk,
  from: number,
  to: number,
  row: number,
  mayBeThere: boolean,
): void {
  const only = onlyKind(duplicates);
  for (let key = from; key < to; key++) {
    const offset = key * KEY_WORDS;
    if (only !== null && kindOfKey(keys, offset) !== only) continue;
    // Of several keys, two may be the same.
    if ((key === from && !mayBeThere) || !seen.find(keys, offset))
      seen.add(keys, offset, input, row);
  }
}
