import { expect } from 'vitest';
import type { Mode } from '../../../src/core/outcome.js';
import { countOutcomes } from '../../kit/bench.js';
import { type Books, differences } from './books.js';
import { baseOf } from './clients.js';
import { type Compared, isOpen, isSame } from './doubt.js';
import type { Center, Run } from './world.js';

/** Where a mode's clients are. */
export const within = (mode: Mode) => ({ from: baseOf(mode), to: baseOf(mode) + 1_000_000 });

/** The outcome of every row is counted once. */
export async function everyRowCounted(run: Run, rows: number): Promise<void> {
  const summary = await run.summary();
  expect([summary.rows, summary.state]).toEqual([rows, 'finished']);
  const sum = Object.values(summary.outcomes).reduce((all, count) => all + count, 0);
  expect(sum).toBe(rows);
  expect(summary.outcomes).toMatchObject(countOutcomes(await run.report()));
}

/** A run that nothing disturbed and one that was disturbed, on contact centers that were equal before. */
export interface Twins {
  readonly mode: Mode;
  readonly before: Books;
  readonly clean: Run;
  readonly cleanCenter: Center;
  readonly disturbed: Run;
  readonly disturbedCenter: Center;
}

/**
 * The runs say the same of every row, and leave the same behind, but for the cases that nobody can tell apart: these
 * are given back.
 */
export async function sameButForDoubt(twins: Twins): Promise<Compared[]> {
  const { mode, before } = twins;
  const [lines, others] = [await twins.clean.report(), await twins.disturbed.report()];
  expect(others.map(({ row }) => row)).toEqual(lines.map(({ row }) => row));
  const differing = lines
    .map((clean, index): Compared => {
      const disturbed = others[index] ?? {};
      return { clean, disturbed, before: before.get(Number(clean['offerId'])) };
    })
    .filter((row) => !isSame(row));
  expect(differing.filter((row) => !isOpen(mode, row))).toEqual([]);
  // A client may have several rows.
  const open = new Map<number, number>();
  for (const { clean } of differing) {
    const offerId = Number(clean['offerId']);
    open.set(offerId, (open.get(offerId) ?? 0) + 1);
  }
  const [clean, disturbed] = [twins.cleanCenter.books(), twins.disturbedCenter.books()];
  const strange = [...differences(clean, disturbed, within(mode))];
  expect(strange.filter(([offerId]) => !open.has(offerId))).toEqual([]);
  for (const [offerId, rows] of open)
    expect(isPossible(clean.get(offerId), disturbed.get(offerId), rows)).toBe(true);
  return differing;
}

/**
 * Also where it is open what became of so many rows of a client: nothing is done twice, and nothing is done that was not
 * asked for.
 */
function isPossible(
  clean: ReturnType<Books['get']>,
  disturbed: ReturnType<Books['get']>,
  rows: number,
): boolean {
  if (!clean || !disturbed) return false;
  const more = disturbed.applications.length - clean.applications.length;
  const callbacks = disturbed.callbacks.length - clean.callbacks.length;
  const isSameCard = clean.card === disturbed.card && clean.deleted === disturbed.deleted;
  return (
    isSameCard &&
    JSON.stringify(clean.contacts) === JSON.stringify(disturbed.contacts) &&
    (more === 0 || (more === 1 && disturbed.applications.length === 1)) &&
    callbacks <= 0 &&
    callbacks >= -rows
  );
}
