import type { Earlier } from '../../core/center.js';
import type { ChangedResult, Fact } from '../../core/facts.js';
import type { Outcome } from '../../core/outcome.js';
import { type Batch, rowsOf } from '../batch/batch.js';
import { type BatchContext, record } from '../batch-context.js';
import { allEnded, lostNow } from '../settle/settle.js';
import { type ChainEnd, NO_PROGRESS, type Progress, runChain } from './chain.js';
import type { StopRun } from '../../core/errors.js';
import { holdClients } from './hold.js';
import { subjectOf } from './payload.js';
import type { ChangeRule } from './rule.js';

/** Clients that are to be changed, each with how it stood before. */
export interface Changing {
  readonly batch: Batch;
  readonly rule: ChangeRule;
  readonly earlier: ReadonlyMap<number, Earlier>;
  /** Whether an earlier part of the run may have changed them. */
  readonly doubtful: boolean;
  /** Called with members with which nothing more will be done, while others are waited for. */
  readonly onEnded: (members: readonly number[]) => void;
}

/** How far clients have come whose requests were lost on the way. */
export type Progresses = ReadonlyMap<number, Progress>;

/** How clients ended with which all went well. */
export type Outcomes = ReadonlyMap<number, Outcome>;

/** What one round of requests came to. */
interface Round {
  readonly changed: [index: number, progress: Progress][];
  /** With which nothing had to be done. */
  readonly unchanged: [index: number, progress: Progress][];
  readonly refused: [index: number, message: string, progress: Progress][];
  /** Of which it is not known whether they were changed. */
  readonly lost: [index: number, reason: string, progress: Progress][];
  /** Of which surely nothing left. */
  readonly untouched: number[];
  /** Why the run was stopped meanwhile. */
  readonly stop: StopRun | undefined;
}

/**
 * Sends the requests for every member, from where they have come, and records what they came to.
 * @throws StopRun when the run was stopped, after recording.
 */
export async function sendRound(
  context: BatchContext,
  changing: Changing,
  progress: Progresses,
): Promise<{ readonly changed: Outcomes; readonly lost: Progresses }> {
  const { batch, rule } = changing;
  const round = classify(await sendAll(context, changing, progress), changing, progress);
  const at = (index: number): number => batch.clients.at[index] ?? 0;
  const results = [
    ...round.changed.map(([index, how]) => resultOf(at(index), null, how)),
    ...round.refused.map(([index, message, how]) => resultOf(at(index), message, how)),
  ];
  const facts: Fact[] = [];
  if (results.length > 0) facts.push({ kind: 'changed', as: rule.outcome, results });
  const { unchanged: as = rule.outcome } = rule;
  if (round.unchanged.length > 0)
    facts.push({
      ...{ kind: 'changed', as },
      results: round.unchanged.map(([index, how]) => resultOf(at(index), null, how)),
    });
  for (const [reason, members] of byReason(round.lost))
    facts.push({ kind: 'change_unknown', rows: rowsOf(batch.clients, members), reason });
  if (round.untouched.length > 0)
    facts.push({ kind: 'not_changed', rows: rowsOf(batch.clients, round.untouched) });
  const requests = round.lost.map(([index, , { request }]) => [index, request] as const);
  holdClients(context.turns, rule, batch.clients, requests);
  if (facts.length > 0) await record(context, batch, ...facts);
  context.onOutcome('failed', round.refused.length);
  if (round.stop) throw round.stop;
  return {
    changed: new Map([
      ...round.changed.map(([index]) => [index, rule.outcome] as const),
      ...round.unchanged.map(([index]) => [index, as] as const),
    ]),
    lost: new Map(round.lost.map(([index, , how]) => [index, how])),
  };
}

/** As short as it can be: a run has millions of them. */
function resultOf(
  at: number,
  refusal: string | null,
  { added, maybeAdded }: Progress,
): ChangedResult {
  if (maybeAdded > 0) return [at, refusal, added, maybeAdded];
  if (added > 0) return [at, refusal, added];
  return refusal === null ? [at] : [at, refusal];
}

function sendAll(
  context: BatchContext,
  { batch, rule, earlier, doubtful }: Changing,
  progress: Progresses,
): Promise<(readonly [index: number, end: ChainEnd])[]> {
  const { sender } = context;
  const chain = { sender, rule, doubtful, lostNow: (ended: boolean) => lostNow(context, ended) };
  return allEnded(
    batch.members.map(async (index) => {
      const subject = subjectOf(batch.clients, index);
      const [how, from] = [earlier.get(index) ?? {}, progress.get(index) ?? NO_PROGRESS];
      return [index, await runChain(chain, subject, how, from)] as const;
    }),
  );
}

function classify(
  ends: readonly (readonly [number, ChainEnd])[],
  { doubtful, rule }: Changing,
  progress: Progresses,
): Round {
  const round: Round = {
    changed: [],
    unchanged: [],
    refused: [],
    lost: [],
    untouched: [],
    stop: undefined,
  };
  let stop: StopRun | undefined;
  for (const [index, end] of ends) {
    if (end.kind === 'changed')
      (hadNothingToDo(end.progress, rule) ? round.unchanged : round.changed).push([
        index,
        end.progress,
      ]);
    else if (end.kind === 'refused') round.refused.push([index, end.message, end.progress]);
    else if (end.kind === 'lost') round.lost.push([index, end.reason, end.progress]);
    else {
      stop = end.stop;
      if (!end.begun && !doubtful && !progress.has(index)) round.untouched.push(index);
    }
  }
  return { ...round, stop };
}

/** A contact that a lost request may have added counts as a change. */
function hadNothingToDo({ effects, maybeAdded }: Progress, { unchanged }: ChangeRule): boolean {
  return unchanged !== undefined && effects === 0 && maybeAdded === 0;
}

function byReason(lost: Round['lost']): Map<string, number[]> {
  const reasons = new Map<string, number[]>();
  for (const [index, reason] of lost) {
    const members = reasons.get(reason);
    if (members) members.push(index);
    else reasons.set(reason, [index]);
  }
  return reasons;
}
