import { KEY_WORDS, type PreparedChunk } from '../core/prepared.js';
import {
  DUPLICATE_KINDS,
  type DuplicateKind,
  type EarlierRows,
  kindOfKey,
  type LaterRow,
  type LaterRows,
  type SeenKeys,
} from '../core/duplicates.js';
import { seenKeysOf } from './seen.js';
import { WordFile } from './word-file.js';

/**
 * Finds out which rows give way to later ones. Memory does not grow with the rows: their keys are kept on the disk.
 * @param by what is compared
 * @param earlier rows of earlier runs: those that share something with them are held back, and no row gives way to one
 */
export function searchLaterRows(
  by: readonly DuplicateKind[],
  earlier: EarlierRows | undefined,
  seen: SeenKeys = seenKeysOf(by),
) {
  const file = new WordFile();
  const starts: number[] = [];
  return {
    /** The chunks in their order. */
    add: ({ input, clients }: Pick<PreparedChunk, 'input' | 'clients'>): void => {
      const { at, rows, keyEnds, keys } = clients;
      starts.push(file.length);
      file.append(Uint32Array.of(input, at.length, keys.length));
      for (const words of [at, rows, keyEnds, keys]) file.append(words);
    },
    /**
     * Goes through the rows as if the file began with its last one: of those with a key the last one goes, and one that is
     * held back leaves no keys. Others have their turn in between.
     */
    decide: async (signal?: AbortSignal): Promise<LaterRows> => {
      const decided = createDecisions();
      try {
        for (let number = starts.length - 1; number >= 0; number--) {
          signal?.throwIfAborted();
          const chunk = readChunk(file, starts[number] ?? 0);
          decided.add(number, decideChunk(chunk, by, earlier, seen));
          await new Promise(setImmediate);
        }
        return decided;
      } catch (error) {
        decided.close();
        throw error;
      }
    },
    /** Frees the disk. */
    close: (): void => {
      file.close();
      seen.close();
    },
  };
}

const HEAD_WORDS = 3;

function readChunk(file: WordFile, start: number) {
  const head = new Uint32Array(HEAD_WORDS);
  file.read(start, head);
  const [input = 0, clients = 0, keyWords = 0] = head;
  const words = new Uint32Array(3 * clients + keyWords);
  file.read(start + HEAD_WORDS, words);
  return {
    input,
    at: words.subarray(0, clients),
    rows: words.subarray(clients, 2 * clients),
    keyEnds: words.subarray(2 * clients, 3 * clients),
    keys: words.subarray(3 * clients),
  };
}

/** A row that gives way, and the one to which it does, as words: its position, then input, row and kind. */
const DECISION_WORDS = 4;

function decideChunk(
  { input, at, rows, keyEnds, keys }: ReturnType<typeof readChunk>,
  by: readonly DuplicateKind[],
  earlier: EarlierRows | undefined,
  seen: SeenKeys,
): number[] {
  const decisions: number[] = [];
  for (let index = at.length - 1; index >= 0; index--) {
    const from = index === 0 ? 0 : (keyEnds[index - 1] ?? 0);
    const to = keyEnds[index] ?? 0;
    if (earlier?.find(keys, from, to)) continue;
    const later = firstSeen(keys, from, to, by, seen);
    if (later)
      decisions.push(at[index] ?? 0, later.input, later.row, DUPLICATE_KINDS.indexOf(later.kind));
    else
      for (let key = from; key < to; key++) {
        const offset = key * KEY_WORDS;
        if (by.includes(kindOfKey(keys, offset)) && !seen.find(keys, offset))
          seen.add(keys, offset, input, rows[index] ?? 0);
      }
  }
  return decisions;
}

function firstSeen(
  keys: Uint32Array,
  from: number,
  to: number,
  by: readonly DuplicateKind[],
  seen: SeenKeys,
): LaterRow | null {
  for (let key = from; key < to; key++) {
    const kind = kindOfKey(keys, key * KEY_WORDS);
    const found = by.includes(kind) ? seen.find(keys, key * KEY_WORDS) : null;
    if (found) return { kind, ...found };
  }
  return null;
}

const NONE: ReadonlyMap<number, LaterRow> = new Map();

/** What was decided of each chunk, on the disk. */
function createDecisions(): LaterRows & { add(number: number, decisions: number[]): void } {
  const file = new WordFile();
  const places = new Map<number, readonly [start: number, words: number]>();
  return {
    add: (number, decisions) => {
      if (decisions.length === 0) return;
      places.set(number, [file.length, decisions.length]);
      file.append(Uint32Array.from(decisions));
    },
    ofChunk: (number) => {
      const [start, length] = places.get(number) ?? [0, 0];
      if (length === 0) return NONE;
      const words = new Uint32Array(length);
      file.read(start, words);
      const rows = new Map<number, LaterRow>();
      for (let word = 0; word < length; word += DECISION_WORDS) {
        const [at = 0, input = 0, row = 0, kind = 0] = words.subarray(word, word + DECISION_WORDS);
        rows.set(at, { input, row, kind: DUPLICATE_KINDS[kind] ?? 'sync' });
      }
      return rows;
    },
    close: () => {
      file.close();
    },
  };
}
