import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { KEY_WORDS } from '../core/prepared.js';
import type { Problem } from '../core/problem.js';
import { REPEATED_IDENTIFIERS, repeatOf, SHARED_CARD, type SeenKeys } from '../core/duplicates.js';
import type { RowReport } from '../core/report.js';

/**
 * The rows of a comparison, in their order, with a problem more where a row has the synchronization identifiers of an
 * earlier one, or comes to its card with others: each names the first such row. Rows that the mapping leaves out are not
 * looked at.
 *
 * @param inputs names of the input files, in the order of `RowReport.input`
 * @param seen holds a key of 96 bits for each identity and each card, and nothing else of the rows
 */
export function* withRepeats(
  rows: Iterable<RowReport>,
  inputs: readonly string[],
  seen: SeenKeys,
): Generator<RowReport, void, undefined> {
  const firstWith = firstRows(inputs, seen);
  for (const row of rows) {
    const problem = repeatedIn(row, firstWith);
    yield problem ? { ...row, problems: [...row.problems, problem] } : row;
  }
}

/** Shows of the row that had the same key first, as words for a person; `null`: this one is it. */
type FirstWith = (key: string, row: RowReport) => string | null;

function repeatedIn(row: RowReport, firstWith: FirstWith): Problem | null {
  const { outcome, identifiers, inspection } = row;
  const isHeldBack = repeatOf(row) !== null;
  if (outcome === 'skipped' && !isHeldBack) return null;
  const isWhole = identifiers.every((value) => value !== null);
  const before = isWhole ? firstWith(JSON.stringify(['identifiers', ...identifiers]), row) : null;
  const clientId = inspection?.clientId ?? null;
  const owner = clientId === null ? null : firstWith(`card ${clientId}`, row);
  // It says so already, and of which row.
  if (isHeldBack) return null;
  if (before !== null)
    return problem(
      REPEATED_IDENTIFIERS,
      `The synchronization identifiers stand in ${before}, too.`,
    );
  if (owner === null) return null;
  return problem(SHARED_CARD, `The synchronization identifiers belong to the card of ${owner}.`);
}

const problem = (code: string, message: string): Problem => ({
  ...{ column: null, code, message, value: null },
});

function firstRows(inputs: readonly string[], seen: SeenKeys): FirstWith {
  // Sheets have row numbers of their own: a key is seen in a place, which is an input and a sheet.
  const places: string[] = [];
  let last: { readonly input: number; readonly sheet: string | null } | undefined;
  const key = new Uint32Array(KEY_WORDS);
  return (text, { input, sheet, row }) => {
    if (last?.input !== input || last.sheet !== sheet) {
      places.push(placeName(inputs, input, sheet));
      last = { input, sheet };
    }
    const hex = hash('sha1', text, 'hex');
    for (let word = 0; word < KEY_WORDS; word++)
      key[word] = Number.parseInt(hex.slice(8 * word, 8 * word + 8), 16);
    const here = places.length - 1;
    const found = seen.find(key, 0);
    if (!found) {
      seen.add(key, 0, here, row);
      return null;
    }
    const where = found.input === here ? '' : (places[found.input] ?? '');
    return where === '' ? `row ${found.row}` : `row ${found.row} of ${where}`;
  };
}

const placeName = (inputs: readonly string[], input: number, sheet: string | null): string =>
  [
    ...(inputs.length > 1 ? [basename(inputs[input] ?? '')] : []),
    ...(sheet === null ? [] : [sheet]),
  ].join(', sheet ');
