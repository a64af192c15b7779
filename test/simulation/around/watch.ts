import { CONFIRMED, foldChunk } from '../../../src/core/facts.js';
import type { RunRecord } from '../../../src/core/ledger.js';
import { numberedChunksOf } from '../../../src/ledger/sqlite.js';
import { StopRun } from '../../../src/core/errors.js';
import type { Books } from '../books.js';
import { falseClaim } from './claims.js';
import { type BegunRun, FILE, type Report } from './run.js';
import type { SharedLedger } from './ledger.js';
import type { Row } from './rows.js';

/** Sees what the processes do and say, and tells what must not be. */
export interface Watch {
  /** A run has been opened; `settleAll`: its open rows are looked up before anything is sent. */
  opened(begun: BegunRun, continued: boolean, settleAll: boolean): void;
  /** A command was told that its import has been done. */
  done(record: RunRecord, wanted: Omit<BegunRun, 'id'>): void;
  /** A process has come to its end, and has written its reports. */
  ended(begun: BegunRun, report: Report): void;
  /** The ledger has lost facts of these runs. `isTold`: whether marks tell it, whichever run is opened. */
  lost(runs: readonly string[], isTold: boolean): void;
  /** A command was refused since facts were lost. */
  refusedLoss(): void;
  /** A command was refused since something had changed. */
  refusedChange(): void;
  /** Whether the person wanted a run to send everything anew. */
  isAnew(run: string): boolean;
  /** Whether a run may have forgotten what it did. */
  hasLost(run: string): boolean;
  /** Nothing will happen any more. */
  over(): void;
  run(id: string): BegunRun;
}

interface Sight {
  readonly books: Books;
  readonly ledger: SharedLedger;
  readonly violated: (what: string) => void;
  readonly count: (what: string) => void;
}

export function createWatch({ books, ledger, violated, count }: Sight): Watch {
  const runs = new Map<string, BegunRun>();
  /** How many effects there had been when a run began. */
  const began = new Map<string, number>();
  const lost = new Map<string, { readonly isTold: boolean }>();
  const confirmed = new Set<string>();
  const everLost = new Set<string>();
  const undone = new Set<string>();
  let last: { readonly begun: BegunRun; readonly report: Report } | undefined;
  let lossesTold = false;

  const did = (run: string): boolean => books.effects.some((effect) => effect.run === run);
  /** Whether another run did something with the client since this one began. */
  const isTouched = (run: string, client: number): boolean =>
    books.effects
      .slice(began.get(run) ?? 0)
      .some((effect) => effect.client === client && effect.run !== run);
  const runOf = (id: string): BegunRun => {
    const begun = runs.get(id);
    if (!begun) throw new Error(`Nobody began run ${id}.`);
    return begun;
  };

  const isAnew = (run: string): boolean => {
    const command = runs.get(run)?.command;
    return command?.kind === 'import' && command.again;
  };

  /** What was to be sent anew is so, when it is begun once more since nothing had been sent. */
  const asBegun = (begun: BegunRun): BegunRun => {
    const { command } = begun;
    const before = runs.get(begun.id)?.command;
    const again = before?.kind === 'import' && before.again;
    return again && command.kind === 'import'
      ? { ...begun, command: { ...command, again } }
      : begun;
  };

  /** Whether a later import of the file came to its end, and stands. */
  const isOvertaken = (id: string): boolean => {
    const order = [...runs.keys()];
    return ledger
      .runs()
      .some(
        (later) =>
          order.indexOf(later.id) > order.indexOf(id) &&
          !undone.has(later.id) &&
          later.inputs === JSON.stringify([FILE]) &&
          (later.state === 'finished' || later.state === 'open'),
      );
  };

  const checkBound = (begun: BegunRun): void => {
    const { command } = begun;
    if (command.kind !== 'import' || command.again) return;
    for (const { id, inputs, state, relies } of ledger.runs()) {
      const isUnfinished = state === null || state === 'stopped';
      if (id === begun.id || inputs !== JSON.stringify([FILE]) || !isUnfinished) continue;
      // One that a later run with --again has overtaken is not gone on with.
      if (isOvertaken(id)) continue;
      const ground = [id, ...(JSON.parse(relies ?? '[]') as string[])];
      const isUndone = [...runs.values()].some(
        (one) => one.command.kind === 'undo' && ground.includes(one.command.undoes),
      );
      if (did(id) && !isUndone && !ledger.locks.isTaken(id))
        violated(`run ${begun.id} began although ${id} of the same file is not at its end`);
    }
  };

  const checkRows = ({ rows, state, waiting }: Report, begun: BegunRun): void => {
    const ordinals = rows.map(({ ordinal }) => ordinal);
    if (new Set(ordinals).size < ordinals.length) violated(`${begun.id} tells of a row twice`);
    if (state === 'stopped') return;
    const all = allOf(begun);
    if (JSON.stringify(ordinals) !== JSON.stringify(all) || waiting > 0)
      violated(`${begun.id} has ended with the rows ${ordinals.join()} of ${all.length}`);
  };

  /** Of an undo, those that the other run had got to. */
  const allOf = ({ command, rows }: BegunRun): number[] => {
    if (command.kind === 'import') return [...rows.keys()];
    const chunks = numberedChunksOf(ledger.database, ledger.file, command.undoes);
    return [...chunks].flatMap(([, facts]) => {
      const { read } = foldChunk(facts) ?? {};
      return read?.rows.map((_, at) => read.first + at) ?? [];
    });
  };

  const checkClaims = ({ id }: BegunRun, { rows }: Report): void => {
    // As it was begun: whoever continues it does not ask for everything anew once more.
    const begun = runOf(id);
    const lastOf = new Map(begun.rows.map((row) => [row.sentAs, row]));
    const isLast = (row: Row): boolean => lastOf.get(row.sentAs) === row;
    const evidence = {
      ...{ books, begun, isLast, isAnew },
      hasUndo: [...runs.values()].some(({ mode }) => mode === 'undo'),
      isUndone: (run: string) => undone.has(run),
      hasLost: (run: string) => everLost.has(run),
      hasConfirmed: (run: string, client: number) => confirmed.has(`${run} ${client}`),
    };
    for (const report of rows) {
      const row = begun.rows[report.ordinal];
      const wrong = row && falseClaim(report, row, evidence);
      if (!wrong) continue;
      if (isTouched(begun.id, row.sentAs)) count('touched by another run');
      else
        violated(
          `${begun.id} (${begun.mode}) says of row ${report.ordinal} (${row.kind}): ${report.outcome}, but ${wrong}`,
        );
    }
  };

  return {
    run: runOf,
    isAnew,
    hasLost: (run) => everLost.has(run),
    opened: (begun, continued, settleAll) => {
      for (const [run, { isTold }] of lost)
        if (!settleAll && (isTold || run === begun.id) && !ledger.locks.isTaken(run))
          violated(`run ${begun.id} was opened although ${run} has lost facts`);
      lost.delete(begun.id);
      if (continued) {
        count('continued');
        if (JSON.stringify(runOf(begun.id).identity) !== JSON.stringify(begun.identity))
          violated(`${begun.id} was continued although something had changed`);
        return;
      }
      // Of a run that lost all its facts, nothing is left to continue.
      if (runs.has(begun.id) && did(begun.id) && !settleAll) violated(`${begun.id} was forgotten`);
      count('begun');
      runs.set(begun.id, asBegun(begun));
      began.set(begun.id, books.effects.length);
      checkBound(runOf(begun.id));
    },
    done: ({ run }, { identity }) => {
      count('done before');
      if (undone.has(run)) violated(`${run} counts as done although it was undone`);
      if (JSON.stringify(runOf(run).identity) !== JSON.stringify(identity))
        violated(`${run} counts as done although something had changed`);
    },
    ended: (begun, report) => {
      const { state, stopped, rows } = report;
      count(state);
      count(`${state} ${begun.mode}`);
      for (const { outcome, problems, createResult, identifiers } of rows) {
        if (createResult === CONFIRMED) confirmed.add(`${begun.id} ${identifiers[0]}`);
        count(outcome);
        if (problems.some(({ code }) => code === 'done_before')) count('known skipped');
        if (createResult?.startsWith('Created by run')) count('known created');
        if (outcome === 'unknown' && begun.mode === 'callbacks') count('callbacks left unknown');
      }
      if (stopped && !(stopped instanceof StopRun))
        violated(`${begun.id} stopped: ${stopped.message}`);
      checkRows(report, begun);
      checkClaims(begun, report);
      if (begun.command.kind === 'undo' && state !== 'stopped') undone.add(begun.command.undoes);
      last = { begun, report };
    },
    lost: (which, isTold) => {
      for (const run of which) {
        lost.set(run, { isTold });
        everLost.add(run);
      }
      if (which.length > 0) count('lost tails');
    },
    refusedLoss: () => {
      count('lost tails refused');
      if (lost.size === 0 && !lossesTold) violated('a loss was told where nothing was lost');
      lossesTold = true;
    },
    refusedChange: () => {
      count('changed parts refused');
      const isBound = ledger.runs().some(({ state }) => state !== 'finished');
      if (!isBound) violated('a change was told where nothing is unfinished');
    },
    over: () => {
      if (last && last.report.state !== 'stopped') checkClaims(last.begun, last.report);
    },
  };
}
