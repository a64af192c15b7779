import pLimit from 'p-limit';
import { type Earlier, type Inspection, isAbsent } from '../core/client.js';
import { ContactCenterError, RefusedError, StopRun, interruption } from '../core/errors.js';
import type { Fact } from '../core/facts.js';
import type { Outcome } from '../core/outcome.js';
import type { PreparedClients } from '../core/prepared.js';
import { EARLIER_REQUEST, type ResultOf, create, enqueue } from './attempt.js';
import { type Batch, cutBySize, only, rowsOf } from './batch.js';
import {
  type ChangeRule,
  type Inspect,
  type Settled,
  type Step,
  keysOf,
  subjectOf,
} from './rules.js';
import {
  type LostRequest,
  type Sending,
  type TimedAnswer,
  SETTLING_ROUNDS,
  allEnded,
  hasEnded,
  isFailureOfServer,
  latestOf,
  lookUp,
  lookUpTimed,
  orRefusal,
  sleepUntil,
  untilLookup,
} from './sending.js';

/*
 * How clients are changed that exist. Each has a chain of requests of its own, which its rule makes from how the client
 * stands. The order of facts is that of every batch:
 *
 * - How clients stand is on record (`looked_up`) before the intent, and the intent (`changing`) before the first request;
 *   clients share an intent in groups.
 * - What became of a group is recorded together. A refused request of a chain does not keep the others back; a lost answer
 *   does, since what follows may build on it.
 * - Lost clients are settled by lookups where the rule can do that, and else sent again, from where they have come.
 */

/** How clients ended with which all went well. */
type Outcomes = ReadonlyMap<number, Outcome>;

/** Called with members with which nothing more will be done, while others are waited for. */
type OnEnded = (members: readonly number[]) => void;

function ruleOf({ change, mode }: Sending): ChangeRule {
  if (!change) throw new RangeError(`Mode ${mode} changes no clients.`);
  return change;
}

/** A client is never changed by two rows at a time: the later one waits for the end of the earlier. */
export async function changeInTurn(
  s: Sending,
  batch: Batch,
  stage: 'new' | 'change_unknown',
): Promise<void> {
  const rule = ruleOf(s);
  const keysOfAll = (members: readonly number[]): string[] =>
    members.flatMap((index) => keysOf(batch.clients, index, rule));
  // All waves take their turns before the first begins: else two batches would wait for each other.
  const waiting = wavesOf(batch, rule).map((members) => {
    const keys = keysOfAll(members);
    return { wave: only(batch, members), keys, turn: s.turns.take(keys) };
  });
  try {
    for (const { wave, keys, turn } of waiting) {
      // Nothing is to work on the clients: no other sending, and no request of one that was lost.
      if (turn.begins) await s.queue.during(turn.begins, 'turn');
      const held = s.turns.heldAfter(s.clock.now(), keys);
      if (held) await sleepUntil(s, held.until, held);
      const next = await withoutOvertaking(s, wave, rule);
      const change = stage === 'new' ? lookUpAndChange : settleAndChange;
      const onEnded: OnEnded = (ended) => turn.release(keysOfAll(ended));
      const { changed, absent } = await change(s, next, rule, onEnded);
      await enqueueChanged(s, next, changed);
      if (absent.length > 0) await create(s, only(next, absent), s.lostFacts, onEnded);
      turn.release();
    }
  } finally {
    for (const { turn } of waiting) turn.release();
  }
}

/** A client whose rows are many is changed row by row, in their order: this parts a batch so that no part has it twice. */
function wavesOf({ clients, members }: Batch, rule: ChangeRule): number[][] {
  const parted: number[][] = [];
  const next = new Map<string, number>();
  for (const index of members) {
    const keys = keysOf(clients, index, rule);
    const number = Math.max(0, ...keys.map((key) => next.get(key) ?? 0));
    for (const key of keys) next.set(key, number + 1);
    (parted[number] ??= []).push(index);
  }
  return parted;
}

/**
 * Leaves members unknown where an earlier row of their client is: that one is sent again when the run is continued, and
 * would overwrite what they have written. Gives the others.
 */
async function withoutOvertaking(s: Sending, wave: Batch, rule: ChangeRule): Promise<Batch> {
  if (!s.turns.hasLeft) return wave;
  const { clients, members } = wave;
  const isBehind = (index: number): boolean => s.turns.isLeft(keysOf(clients, index, rule));
  const rows = rowsOf(clients, members.filter(isBehind));
  if (rows.length === 0) return wave;
  await s.record(wave, { kind: 'change_unknown', rows, reason: EARLIER_REQUEST });
  s.ended('unknown', rows.length);
  const others = members.filter((index) => !isBehind(index));
  return only(wave, others);
}

/** Clients stay unknown: where a change is sent again without being looked up, later rows of them have to stay behind. */
function leave(s: Sending, { batch, rule }: Changing, members: readonly number[]): void {
  s.ended('unknown', members.length);
  if (!rule.settle) for (const index of members) s.turns.leave(keysOf(batch.clients, index, rule));
}

/** A client that was there before may be in the campaign already, which is no failure then. */
async function enqueueChanged(s: Sending, batch: Batch, changed: Outcomes): Promise<void> {
  if (!s.campaign) for (const outcome of changed.values()) s.ended(outcome, 1);
  else if (changed.size > 0)
    await enqueue(s, only(batch, [...changed.keys()]), s.lostFacts, (index) => changed.get(index));
}

/** Goes on with clients that were changed, and wait for the campaign. */
export function goOnChanged(s: Sending, batch: Batch): Promise<void> {
  const { outcome } = ruleOf(s);
  return enqueueChanged(s, batch, new Map(batch.members.map((index) => [index, outcome])));
}

/**
 * Keeps later rows from the clients of earlier processes of which, by their facts, some request was lost, whatever became
 * of them since: it may still be carried out.
 */
export function holdEverLost(
  s: Sending,
  clients: PreparedClients,
  members: readonly number[],
  facts: readonly Fact[],
): void {
  if (!s.change) return;
  const rows = new Set(facts.flatMap((fact) => (fact.kind === 'change_unknown' ? fact.rows : [])));
  // Of facts that are gone, some may have recorded a lost request.
  const lost = s.ledger.settlesAll
    ? members
    : members.filter((index) => rows.has(clients.at[index] ?? -1));
  for (const index of lost) holdClient(s, s.change, clients, index, s.lostBefore);
}

/**
 * Keeps later rows from a client while a lost request for it may still be carried out. Only changes that are sent again
 * before that need it: the late one would overwrite what a later row has written.
 */
function holdClient(
  { turns }: Sending,
  rule: ChangeRule,
  clients: PreparedClients,
  index: number,
  request: LostRequest | null,
): void {
  if (!rule.settle && request) turns.hold(keysOf(clients, index, rule), request.until);
}

const NOT_ASKED =
  'The contact center did not say how this client stands, so that nothing was changed.';

/**
 * Looks at every member, records how they stood, and changes them. Those that could not be asked for are left as they are:
 * nothing of them has been sent. In mode `upsert`, a client that is not there (`absent`) is for the caller to create.
 */
async function lookUpAndChange(s: Sending, batch: Batch, rule: ChangeRule, onEnded: OnEnded) {
  const { clients, members } = batch;
  const at = (index: number): number => clients.at[index] ?? 0;
  const earlier = new Map<number, Earlier>();
  const absent: number[] = [];
  const refused: [index: number, refusal: string][] = [];
  const missing: [index: number, refusal: string][] = [];
  const open: number[] = [];
  const { lookUp: look, isInDoubt } = rule;
  const doubtful = members.filter((index) => isInDoubt?.(subjectOf(clients, index)));
  if (doubtful.length > 0) {
    const { until } = s.lostBefore;
    await sleepUntil(s, until, { until, clients: doubtful.length, areLeft: true });
  }
  const answers = look
    ? await lookUp(s, members, (index) => orRefusal(look(subjectOf(clients, index))))
    : members.map((): Earlier => ({}));
  for (const [place, index] of members.entries()) {
    const answer = answers[place];
    if (answer === undefined) open.push(index);
    else if ('refusal' in answer) refused.push([index, answer.refusal]);
    else if (!isAbsent(answer)) earlier.set(index, answer);
    else if (s.mode === 'upsert') absent.push(index);
    else missing.push([index, answer.absent]);
  }
  const refusals = [...refused, ...missing];
  const facts: Fact[] = [];
  if (look && earlier.size + absent.length > 0)
    facts.push({
      kind: 'looked_up',
      found: [...earlier].map(([index, how]) => [at(index), how] as const),
      ...(absent.length > 0 ? { absent: rowsOf(clients, absent) } : {}),
    });
  if (refusals.length > 0) {
    const results = refusals.map(([index, refusal]) => [at(index), refusal] as const);
    facts.push({ kind: 'changed', as: rule.outcome, results });
  }
  if (open.length > 0)
    facts.push({ kind: 'change_unknown', rows: rowsOf(clients, open), reason: NOT_ASKED });
  if (facts.length > 0) await s.record(batch, ...facts);
  s.ended('failed', refusals.length);
  const found = only(batch, [...earlier.keys()]);
  const changing = { batch: found, rule, earlier, doubtful: false, onEnded };
  leave(s, changing, open);
  return { changed: await changeClients(s, changing), absent };
}

/**
 * Goes on with clients that an earlier part of the run may have changed. Of whom it is not on record how they stood,
 * nothing had been sent.
 */
async function settleAndChange(s: Sending, batch: Batch, rule: ChangeRule, onEnded: OnEnded) {
  const { members, earlier = new Map<number, Earlier>() } = batch;
  const isKnown = (index: number): boolean => !rule.lookUp || earlier.has(index);
  const doubtful = only(batch, members.filter(isKnown));
  const others = members.filter((index) => !isKnown(index));
  const fresh = only(batch, others);
  const changing = { batch: doubtful, rule, earlier, doubtful: true, onEnded };
  const settled = await changeClients(s, changing);
  const { changed, absent } = await lookUpAndChange(s, fresh, rule, onEnded);
  return { changed: new Map([...settled, ...changed]), absent };
}

interface Changing {
  readonly batch: Batch;
  readonly rule: ChangeRule;
  readonly earlier: ReadonlyMap<number, Earlier>;
  readonly doubtful: boolean;
  readonly onEnded: OnEnded;
}

/** How far the requests for one client have come: what was answered is not sent again. */
interface Progress {
  readonly done: number;
  /** Steps that took effect: the others were fulfilled already. */
  readonly effects: number;
  readonly added: number;
  /** Contacts that are on the card, and that a request whose answer was lost may have added. */
  readonly maybeAdded: number;
  readonly refusals: readonly string[];
  readonly lost: number;
  readonly request: LostRequest | null;
  /** Whether the contact center answered that it failed at the next step. */
  readonly failed: boolean;
  /** How it said so the second time: unless a look shows that it took effect, the step is refused. */
  readonly refusedAs: string | null;
}

const NO_PROGRESS: Progress = {
  ...{ done: 0, effects: 0, added: 0, maybeAdded: 0, refusals: [] },
  ...{ lost: 0, request: null, failed: false, refusedAs: null },
};

type Progresses = ReadonlyMap<number, Progress>;

const NO_ONE: Progresses = new Map();

const withMembers = (
  changing: Changing,
  members: readonly number[],
  earlier: ReadonlyMap<number, Earlier>,
): Changing => ({ ...changing, earlier, batch: only(changing.batch, members) });

/**
 * Changes clients. What was lost is settled by lookups where they can show it, and else sent again: the rule says which.
 * Resolves with the members with which all went well, and how they ended.
 */
async function changeClients(s: Sending, changing: Changing): Promise<Outcomes> {
  const { batch, rule, onEnded, doubtful } = changing;
  const changed = new Map<number, Outcome>();
  const add = (outcomes: Outcomes): void => {
    for (const [index, outcome] of outcomes) changed.set(index, outcome);
  };
  const earlier = new Map(changing.earlier);
  let open: Progresses;
  if (doubtful) {
    // An earlier process may have left requests that are still worked on.
    const request = s.lostBefore;
    for (const index of batch.members) holdClient(s, rule, batch.clients, index, request);
    open = new Map(batch.members.map((index) => [index, { ...NO_PROGRESS, request }]));
  } else {
    const first = await sendFirst(s, changing);
    add(first.changed);
    open = stillOpen(s, changing, first.lost);
  }
  for (let lookedAt = -Infinity; open.size > 0;) {
    const lost = open;
    if (rule.settle) onEnded(batch.members.filter((index) => !lost.has(index)));
    const latest = latestOf([...lost.values()].flatMap(({ request }) => request ?? []));
    // What can be sent twice waits for no deadline.
    if (rule.settle) await untilLookup(s, latest, lookedAt, lost.size);
    else await sleepUntil(s, s.nextLookup(latest, lookedAt));
    lookedAt = s.clock.now();
    const settled = await settle(s, withMembers(changing, [...lost.keys()], earlier), lost);
    for (const index of settled.done) changed.set(index, rule.outcome);
    const progress = new Map(lost);
    for (const [index, how] of settled.fresh) {
      earlier.set(index, how);
      // Its requests are others now.
      const { lost: times = 0, request = null } = lost.get(index) ?? {};
      progress.set(index, { ...NO_PROGRESS, lost: times, request });
    }
    const round = await sendRound(s, withMembers(changing, settled.again, earlier), progress);
    add(round.changed);
    open = new Map([...settled.left, ...stillOpen(s, changing, round.lost)]);
  }
  return changed;
}

/** Members whose next request has not been lost too often; the others stay unknown. */
function stillOpen(s: Sending, changing: Changing, lost: Progresses): Progresses {
  const open = new Map([...lost].filter(([, how]) => how.lost <= SETTLING_ROUNDS));
  const left = [...lost.keys()].filter((index) => !open.has(index));
  leave(s, changing, left);
  return open;
}

/** Clients that share an intent, where the rule does not want fewer: of so many it is in doubt what a crash left. */
const AT_ONCE = 25;
/** Groups of a batch on their way: while one is recorded, another is sent. */
const GROUPS = 2;

/** The first requests for every member, in groups, each after its intent. What is lost waits for all groups. */
async function sendFirst(s: Sending, changing: Changing) {
  const { batch, rule, earlier } = changing;
  const limit = pLimit(GROUPS);
  const groups = cutBySize(batch.members, rule.atOnce ?? AT_ONCE);
  const rounds = await allEnded(
    groups.map((members) =>
      limit(async () => {
        if (s.signal.aborted) throw interruption(s.signal);
        await s.record(batch, { kind: 'changing', rows: rowsOf(batch.clients, members) });
        return sendRound(s, withMembers(changing, members, earlier), NO_ONE);
      }),
    ),
  );
  return {
    changed: new Map(rounds.flatMap((round) => [...round.changed])),
    lost: new Map(rounds.flatMap((round) => [...round.lost])),
  };
}

/**
 * Sends the requests for every member, from where they have come, and records what they came to: with whom all went well
 * (`changed`), and whose were lost.
 * @throws StopRun when the run was stopped, after recording.
 */
async function sendRound(s: Sending, changing: Changing, progress: Progresses) {
  const { batch, rule, earlier, doubtful } = changing;
  const { clients } = batch;
  const ends = await allEnded(
    batch.members.map(async (index) => {
      const from = progress.get(index) ?? NO_PROGRESS;
      return [index, await runChain(s, changing, index, earlier.get(index) ?? {}, from)] as const;
    }),
  );
  const done: number[] = [];
  const idle: number[] = [];
  const results: ResultOf<'changed'>[] = [];
  const refused: ResultOf<'changed'>[] = [];
  const unchanged: ResultOf<'changed'>[] = [];
  const lost = new Map<number, Progress>();
  const reasons = new Map<string, number[]>();
  const untouched: number[] = [];
  let stop: StopRun | undefined;
  for (const [index, end] of ends) {
    const at = clients.at[index] ?? 0;
    if (end.kind === 'changed') {
      const { effects, maybeAdded } = end.progress;
      // A contact that a lost request may have added counts as a change.
      const isIdle = rule.unchanged !== undefined && effects === 0 && maybeAdded === 0;
      (isIdle ? idle : done).push(index);
      (isIdle ? unchanged : results).push(resultOf(at, null, end.progress));
    } else if (end.kind === 'refused') refused.push(resultOf(at, end.message, end.progress));
    else if (end.kind === 'lost') {
      lost.set(index, end.progress);
      reasons.set(end.reason, [...(reasons.get(end.reason) ?? []), index]);
    } else {
      stop = end.stop;
      if (!end.begun && !doubtful && !progress.has(index)) untouched.push(index);
    }
  }
  const { outcome, unchanged: as = outcome } = rule;
  const facts: Fact[] = [];
  if (results.length + refused.length > 0)
    facts.push({ kind: 'changed', as: outcome, results: [...results, ...refused] });
  if (unchanged.length > 0) facts.push({ kind: 'changed', as, results: unchanged });
  for (const [reason, members] of reasons)
    facts.push({ kind: 'change_unknown', rows: rowsOf(clients, members), reason });
  if (untouched.length > 0) facts.push({ kind: 'not_changed', rows: rowsOf(clients, untouched) });
  for (const [index, { request }] of lost) holdClient(s, rule, clients, index, request);
  if (facts.length > 0) await s.record(batch, ...facts);
  s.ended('failed', refused.length);
  if (stop) throw stop;
  const changed = new Map(done.map((index) => [index, outcome]));
  for (const index of idle) changed.set(index, as);
  return { changed, lost };
}

/** As short as it can be: a run has millions of them. */
function resultOf(
  at: number,
  refusal: string | null,
  { added, maybeAdded }: Progress,
): ResultOf<'changed'> {
  if (maybeAdded > 0) return [at, refusal, added, maybeAdded];
  if (added > 0) return [at, refusal, added];
  return refusal === null ? [at] : [at, refusal];
}

/** An answer was lost, or the run was stopped; `begun`: something may have left. */
type Unfinished =
  | { readonly kind: 'lost'; readonly reason: string; readonly progress: Progress }
  | { readonly kind: 'stopped'; readonly begun: boolean; readonly stop: StopRun };

async function runChain(
  s: Sending,
  { rule, doubtful, batch }: Changing,
  index: number,
  earlier: Earlier,
  from: Progress,
) {
  const subject = subjectOf(batch.clients, index);
  const steps = (doubtful && rule.stepsInDoubt?.(subject)) || rule.steps(subject, earlier);
  let progress = from;
  for (const step of steps.slice(from.done)) {
    const end = await sendStep(s, rule, step, progress, { doubtful, isOnly: steps.length === 1 });
    if ('kind' in end) return end;
    const { lost, request, failed, refusedAs } = NO_PROGRESS;
    progress = { ...end, done: progress.done + 1, lost, request, failed, refusedAs };
  }
  const refusals = new Set(progress.refusals);
  if (earlier.remark !== undefined) refusals.add(earlier.remark);
  return refusals.size === 0
    ? ({ kind: 'changed', progress } as const)
    : ({ kind: 'refused', message: [...refusals].join('; '), progress } as const);
}

async function sendStep(
  s: Sending,
  rule: ChangeRule,
  step: Step,
  progress: Progress,
  { doubtful, isOnly }: { readonly doubtful: boolean; readonly isOnly: boolean },
): Promise<Progress | Unfinished> {
  let begun = progress.done > 0;
  const refused = (message: string): Progress => {
    // Among several requests, with what it was about.
    const text = isOnly || step.label === '' ? message : `${step.label}: ${message}`;
    return { ...progress, refusals: [...progress.refusals, text] };
  };
  if (progress.refusedAs !== null) return refused(progress.refusedAs);
  try {
    await s.sender.send({
      kind: step.operation,
      clients: 1,
      // The intent is on record for the whole group; this says that the request is not to be sent again unasked.
      before: () => Promise.resolve(),
      request: () => {
        begun = true;
        return rule.send(step);
      },
      undone: () => {
        begun = progress.done > 0;
        return Promise.resolve();
      },
    });
    const effects = progress.effects + 1;
    return { ...progress, effects, added: progress.added + (step.adds ? 1 : 0) };
  } catch (error) {
    if (error instanceof StopRun) return { kind: 'stopped', begun, stop: error };
    if (!(error instanceof ContactCenterError)) throw error;
    const failed = isFailureOfServer(error);
    // What the contact center fails at twice fails for a reason of its own.
    const refusedAs = failed && progress.failed ? error.message : null;
    if (refusedAs !== null && !rule.settle) return refused(refusedAs);
    if (failed || !(error instanceof RefusedError)) {
      const request = s.lostNow(hasEnded(error));
      const lost = progress.lost + (refusedAs === null ? 1 : 0);
      const how = { ...progress, lost, request, failed, refusedAs };
      return { kind: 'lost', reason: error.message, progress: how };
    }
    const wasLost = doubtful || progress.lost > 0;
    if (wasLost && step.doneBefore?.test(error.errorMessage))
      return { ...progress, effects: progress.effects + 1 };
    if (!step.fulfilledBy?.test(error.errorMessage)) return refused(error.errorMessage);
    const isOurs = step.adds === true && wasLost;
    return isOurs ? { ...progress, maybeAdded: progress.maybeAdded + 1 } : progress;
  }
}

/**
 * Looks what became of lost members, and records what is final of it: who is done, who is to be sent again now, and how
 * some of these stand by now (`fresh`), and who is to be looked at again later (`left`). The others stay unknown.
 */
async function settle(s: Sending, { batch, rule, earlier }: Changing, lost: Progresses) {
  const { clients, members } = batch;
  const { settle: look } = rule;
  const fresh = new Map<number, Earlier>();
  const left = new Map<number, Progress>();
  if (!look) return { done: [], again: members, fresh, left };
  const began = s.clock.now();
  const answers = await lookUpTimed(s, members, (index) =>
    look(subjectOf(clients, index), earlier.get(index) ?? {}),
  );
  const done: number[] = [];
  const again: number[] = [];
  let unasked = 0;
  const facts: Fact[] = [];
  for (const [place, index] of members.entries()) {
    const until = lost.get(index)?.request?.until ?? began;
    const answer = answers[place];
    const settled = answer && verdictOf(answer, until, rule, clients, index);
    if (settled === 'done') done.push(index);
    else if (settled === 'later' || (!settled && began < until))
      left.set(index, lost.get(index) ?? NO_PROGRESS);
    // It could not be asked for, to the end.
    else if (!settled) unasked++;
    else if (settled !== 'again' && 'open' in settled)
      facts.push({ kind: 'change_unknown', rows: rowsOf(clients, [index]), reason: settled.open });
    else {
      again.push(index);
      if (settled !== 'again') fresh.set(index, settled.again);
    }
  }
  const open = facts.length + unasked;
  if (done.length > 0)
    facts.push({ kind: 'change_settled', as: rule.outcome, rows: rowsOf(clients, done) });
  if (facts.length > 0) await s.record(batch, ...facts);
  s.ended('unknown', open);
  return { done, again, fresh, left };
}

/**
 * What took effect is known early; what did not is sure only when nothing works on it any more: until then, what is absent
 * may yet be carried out (`later`).
 */
function verdictOf(
  { answer, askedAt }: TimedAnswer<Settled>,
  until: number,
  rule: ChangeRule,
  clients: PreparedClients,
  index: number,
): Settled | 'later' {
  if (answer === 'done' || askedAt >= until) return answer;
  if (answer === 'again') return 'later';
  if ('open' in answer) return answer;
  return rule.steps(subjectOf(clients, index), answer.again).length === 0 ? answer : 'later';
}

const NOT_COMPARED = 'The contact center could not be asked for this client.';

/** Compares every member with the contact center and records what was found. */
export async function inspectClients(s: Sending, batch: Batch, inspect: Inspect): Promise<void> {
  const { clients, members } = batch;
  const answers = await lookUp(s, members, (index) =>
    orRefusal(inspect(subjectOf(clients, index))),
  );
  const results: [at: number, found: Inspection][] = [];
  const facts: Fact[] = [];
  for (const [place, index] of members.entries()) {
    const [answer, at] = [answers[place], clients.at[index] ?? 0];
    if (answer && !('refusal' in answer)) results.push([at, answer]);
    else
      facts.push({ kind: 'change_unknown', rows: [at], reason: answer?.refusal ?? NOT_COMPARED });
  }
  const unknown = facts.length;
  if (results.length > 0) facts.push({ kind: 'inspected', results });
  await s.record(batch, ...facts);
  for (const [, { verdict }] of results) s.ended(verdict, 1);
  s.ended('unknown', unknown);
}
