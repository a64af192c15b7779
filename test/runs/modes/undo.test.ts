import { describe, expect, it } from 'vitest';
import type { Mode } from '../../../src/core/outcome.js';
import { countOutcomes, type Line } from '../../kit/bench.js';
import { isFull } from '../../proof/harness.js';
import { type BookedClient, type Books, differences } from './books.js';
import { identifiersOf } from './clients.js';
import { everyRowCounted, within } from './compare.js';
import { type Gate, startGate } from './gate.js';
import { OPTIONS, type Run, brokenOff, useWorld } from './world.js';

const ROWS = isFull ? 5000 : 500;
const UNDOABLE = ['create', 'upsert', 'update', 'enqueue'] as const satisfies readonly Mode[];
/** About half of the requests that undoing a row needs. */
const HALF = { create: 2, upsert: 1.5, update: 1, enqueue: 1.5 };

const { world, center } = useWorld(UNDOABLE, ROWS);

const SOMEBODY = 'changed by somebody since';

/** A field of some clients that the run changed is changed by somebody else. */
async function interfere(report: readonly Line[]): Promise<Set<number>> {
  const changed = report.filter(
    ({ row, outcome }) => outcome === 'updated' && (Number(row) - 1) % 4 !== 0,
  );
  const some = changed.slice(0, 3).map((line) => Number(line['offerId']));
  for (const offerId of some)
    await center.ask('PUT', '/clients/exec.do', {
      syncIdentifiers: identifiersOf(offerId, 0),
      fieldsToUpdate: { comment: SOMEBODY },
    });
  return new Set(some);
}

/** Undoes a run, is killed when so many requests have been carried out, and goes on by the same command. */
async function undoneInTwoParts(gate: Gate, args: readonly string[], after: number): Promise<Run> {
  await brokenOff({ world, gate }, args, after);
  const second = await world.run(args);
  expect(second.stderr).toContain('Continuing run');
  return second;
}

/** Contacts that the run added, by the undo's report; they stay. */
const STAY = /(\d+) added contacts? stays?: no operation takes contacts from a card\./;
const staying = ({ changeResult = '' }: Line): number => Number(STAY.exec(changeResult)?.[1] ?? 0);

/** The clients are as they were before, but for added contacts and what somebody else changed, which are told. */
function asBefore(mode: Mode, report: readonly Line[], theirs: ReadonlySet<number>): void {
  const now = center.books();
  const told = new Map<number, number>();
  for (const line of report) {
    const offerId = Number(line['offerId']);
    told.set(offerId, (told.get(offerId) ?? 0) + staying(line));
  }
  const differing = differences(world.before, now, { ...within(mode), live: true });
  const unexplained = [...differing].filter(([offerId, text]) => {
    const [old, left] = [world.before.get(offerId), now.get(offerId)];
    if (!old || !left || left.deleted) return true;
    const isTheirs = theirs.has(offerId) && left.card === withComment(old, SOMEBODY);
    const isCard = left.card === old.card || isTheirs;
    return !isCard || !rest(old, left, told.get(offerId) ?? 0) || text === '';
  });
  expect(unexplained).toEqual([]);
}

/** Everything beside the card is as before, but for so many more contacts. */
const rest = (old: BookedClient, left: BookedClient, added: number): boolean =>
  JSON.stringify([old.applications, old.callbacks, old.contacts]) ===
    JSON.stringify([left.applications, left.callbacks, contactsBefore(old, left)]) &&
  left.contacts.length - old.contacts.length === added;

const contactsBefore = (old: BookedClient, left: BookedClient): readonly string[] =>
  left.contacts.filter((contact) => old.contacts.includes(contact));

function withComment({ card }: BookedClient, comment: string): string {
  const [role, type, zone, fields] = JSON.parse(card) as [
    number,
    string,
    string,
    [string, unknown][],
  ];
  const others = fields.filter(([name]) => name !== 'comment');
  const all = [...others, ['comment', comment] as const].sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([role, type, zone, all]);
}

/** Whether the import did something with the row. */
function wasTouched(mode: Mode, { outcome = '', createResult, changeResult }: Line, before: Books) {
  if (['skipped', 'rejected', 'unchanged'].includes(outcome)) return false;
  if (mode === 'enqueue') return outcome === 'enqueued';
  if (createResult !== '' && createResult !== undefined) return createResult.startsWith('Success');
  return !/^No clients/.test(changeResult ?? '') && before.size > 0;
}

describe.concurrent('an import is undone', () => {
  it.each(UNDOABLE)(`mode %s, ${ROWS} rows`, { timeout: 600_000 }, async (mode) => {
    const began = Date.now();
    const gate = await startGate(center.port);
    try {
      const run = await world.run(await world.importOf(mode, mode, gate.url));
      expect(run.code, run.stderr).toBe(2);
      const imported = await run.report();
      const after = differences(world.before, center.books(), within(mode));
      expect(after.size).toBeGreaterThan(ROWS / 5);
      const theirs =
        mode === 'update' || mode === 'upsert' ? await interfere(imported) : new Set<number>();

      const { run: id } = await run.summary();
      const places = ['--ledger', world.at(`${mode}.db`), '--out', world.at(`${mode}-undo`)];
      const args = ['undo', id, '--yes', ...places, ...OPTIONS];
      const touched = imported.filter((line) => wasTouched(mode, line, world.before));
      const undo = await undoneInTwoParts(gate, args, Math.round(touched.length * HALF[mode]));
      await everyRowCounted(undo, ROWS);
      const report = await undo.report();
      expect(report.map(({ row }) => row)).toEqual(imported.map(({ row }) => row));
      asBefore(mode, report, theirs);

      const left = report.filter(({ changeResult = '' }) => changeResult.includes('changed since'));
      expect(new Set(left.map((line) => Number(line['offerId'])))).toEqual(theirs);
      const isExplained = ({ changeResult = '' }: Line) =>
        STAY.test(changeResult) || changeResult.includes('Field comment has been changed since');
      expect(report.filter((line) => line['outcome'] === 'failed' && !isExplained(line))).toEqual(
        [],
      );
      expect(report.filter(({ outcome }) => outcome !== 'skipped').map(({ row }) => row)).toEqual(
        touched.map(({ row }) => row),
      );
      expect(undo.code).toBe(report.some(({ outcome }) => outcome === 'failed') ? 2 : 0);

      const again = await world.run(args);
      expect([again.code, again.stderr]).toEqual([
        undo.code,
        expect.stringContaining('taken back already'),
      ]);
      const seconds = (Date.now() - began) / 1000;
      console.log(JSON.stringify({ mode, seconds, undo: countOutcomes(report) }));
    } finally {
      await gate.close();
    }
  });
});
