import type { Earlier } from '../../core/center.js';
import type { Fact } from '../../core/facts.js';
import { rowsOf } from '../batch/batch.js';
import { type BatchContext, record } from '../batch-context.js';
import { type TimedAnswer, lookUpTimed } from '../settle/settle.js';
import { NO_PROGRESS, type Progress } from './chain.js';
import { subjectOf } from './payload.js';
import type { Changing, Progresses } from './round.js';
import type { ChangeRule, Settled, Subject } from './rule.js';

/** What a lookup of lost members came to. Members that are in none of these stay unknown. */
export interface SettledChanges {
  readonly done: readonly number[];
  /** Members that are to be sent again, now. */
  readonly again: readonly number[];
  /** How some of these stand by now. */
  readonly fresh: ReadonlyMap<number, Earlier>;
  /** Members to look at again later. */
  readonly left: ReadonlyMap<number, Progress>;
}

/** `later`: what is absent may yet be carried out; `unasked`: it could not be asked for, to the end. */
type Verdict = Settled | 'later' | 'unasked';

/** Looks what became of lost members, and records what is final of it. */
export async function settleChanges(
  context: BatchContext,
  changing: Changing,
  lost: Progresses,
): Promise<SettledChanges> {
  const { batch, rule } = changing;
  const fresh = new Map<number, Earlier>();
  const left = new Map<number, Progress>();
  if (!rule.settle) return { done: [], again: batch.members, fresh, left };
  const verdicts = await verdictsOf(context, changing, rule.settle, lost);
  const [done, again, unasked]: [number[], number[], number[]] = [[], [], []];
  const open: [index: number, reason: string][] = [];
  for (const [index, verdict] of verdicts) {
    if (verdict === 'done') done.push(index);
    else if (verdict === 'later') left.set(index, lost.get(index) ?? NO_PROGRESS);
    else if (verdict === 'unasked') unasked.push(index);
    else if (verdict !== 'again' && 'open' in verdict) open.push([index, verdict.open]);
    else {
      again.push(index);
      if (verdict !== 'again') fresh.set(index, verdict.again);
    }
  }
  const facts: Fact[] = open.map(([index, reason]) => ({
    kind: 'change_unknown',
    rows: rowsOf(batch.clients, [index]),
    reason,
  }));
  if (done.length > 0)
    facts.push({ kind: 'change_settled', as: rule.outcome, rows: rowsOf(batch.clients, done) });
  if (facts.length > 0) await record(context, batch, ...facts);
  context.onOutcome('unknown', open.length + unasked.length);
  return { done, again, fresh, left };
}

async function verdictsOf(
  context: BatchContext,
  { batch, rule, earlier }: Changing,
  look: NonNullable<ChangeRule['settle']>,
  lost: Progresses,
): Promise<(readonly [index: number, verdict: Verdict])[]> {
  const { clients, members } = batch;
  const began = context.clock.now();
  const answers = await lookUpTimed(context, members, (index) =>
    look(subjectOf(clients, index), earlier.get(index) ?? NOTHING_KNOWN),
  );
  return members.map((index, place) => {
    const until = lost.get(index)?.request?.until ?? began;
    const answer = answers[place];
    const verdict = answer ? verdictOf(answer, until, rule, subjectOf(clients, index)) : undefined;
    return [index, verdict ?? (began >= until ? 'unasked' : 'later')] as const;
  });
}

const NOTHING_KNOWN: Earlier = {};

/** What took effect is known early; what did not is sure only when nothing works on it any more. */
function verdictOf(
  { answer, askedAt }: TimedAnswer<Settled>,
  until: number,
  rule: ChangeRule,
  subject: Subject,
): Verdict {
  if (answer === 'done' || askedAt >= until) return answer;
  if (answer === 'again') return 'later';
  if ('open' in answer) return answer;
  return rule.steps(subject, answer.again).length === 0 ? answer : 'later';
}
