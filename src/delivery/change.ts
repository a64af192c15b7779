import type { Turns } from './queue.js';
import { isAbsent, type Earlier } from '../core/center.js';
import {
  subjectOf,
  type Step,
  type ChangeRule,
  type Subject,
  type Settled,
} from './change-rules.js';
import { ContactCenterError, RefusedError, StopRun, interruption } from '../core/errors.js';
import { hasEnded, isFailureOfServer, type Sender } from './sending.js';
import {
  allEnded,
  lostNow,
  type TimedAnswer,
  lookUpTimed,
  SETTLING_ROUNDS,
  lostBefore,
  sleepUntil,
  untilLookup,
  orRefusal,
  lookUp,
} from './settle.js';
import { type LostRequest, latestOf, nextLookup, type Batch, rowsOf, cutBySize } from './batch.js';
import { identifiersOf, type PreparedClients } from '../core/prepared.js';
import type { Fact, ChangedResult } from '../core/facts.js';
import type { Outcome } from '../core/outcome.js';
import { type BatchContext, record } from './ports.js';
import { default as pLimit } from 'p-limit';

/** How far the requests for one client have come: what was answered is not sent again. */
interface Progress {
  /** Steps that were answered. */
  readonly done: number;
  /** Steps that took effect: the others were fulfilled already. */
  readonly effects: number;
  /** Contacts that were added. */
  readonly added: number;
  /** Contacts that are on the card, and that a request whose answer was lost may have added. */
  readonly maybeAdded: number;
  readonly refusals: readonly string[];
  /** How often the answer to the next step was lost. */
  readonly lost: number;
  /** The last request that was; `null`: none. */
  readonly request: LostRequest | null;
  /** Whether the contact center answered that it failed at the next step. */
  readonly failed: boolean;
}

const NO_PROGRESS: Progress = {
  ...{
    done: 0,
    effects: 0,
    added: 0,
    maybeAdded: 0,
    refusals: [],
    lost: 0,
    request: null,
    failed: false,
  },
};

/** What became of the requests for one client. */
type ChainEnd =
  | { readonly kind: 'changed'; readonly progress: Progress }
  | { readonly kind: 'refused'; readonly message: string; readonly progress: Progress }
  /** An answer was lost. */
  | { readonly kind: 'lost'; readonly reason: string; readonly progress: Progress }
  /** The run was stopped; `begun`: something may have left. */
  | { readonly kind: 'stopped'; readonly begun: boolean; readonly stop: StopRun };

interface ChainContext {
  readonly sender: Sender;
  /** A request that is lost now; `ended`: the contact center's work on it is over. */
  readonly lostNow: (ended: boolean) => LostRequest;
  readonly rule: ChangeRule;
  /** Whether an earlier part of the run may have sent these requests. */
  readonly doubtful: boolean;
}

/**
 * Sends the requests for one client, one after the other, from where they have come. A refusal of one does not keep
 * the others back; a lost answer does, since what follows may build on it.
 */
async function runChain(
  context: ChainContext,
  subject: Subject,
  earlier: Earlier,
  from: Progress,
): Promise<ChainEnd> {
  const { steps: usual, stepsInDoubt } = context.rule;
  const steps = (context.doubtful && stepsInDoubt?.(subject)) || usual(subject, earlier);
  let progress = from;
  for (const step of steps.slice(from.done)) {
    const end = await sendStep(context, step, progress, steps.length === 1);
    if ('kind' in end) return end;
    progress = { ...end, done: progress.done + 1, lost: 0, request: null, failed: false };
  }
  const refusals = new Set(progress.refusals);
  if (earlier.remark !== undefined) refusals.add(earlier.remark);
  return refusals.size === 0
    ? { kind: 'changed', progress }
    : { kind: 'refused', message: [...refusals].join('; '), progress };
}

type Unfinished = Extract<ChainEnd, { readonly kind: 'lost' | 'stopped' }>;

async function sendStep(
  { sender, lostNow, rule, doubtful }: ChainContext,
  step: Step,
  progress: Progress,
  isOnly: boolean,
): Promise<Progress | Unfinished> {
  let begun = progress.done > 0;
  const refused = (message: string): Progress => ({
    ...progress,
    refusals: [...progress.refusals, isOnly ? message : labelled(step, message)],
  });
  try {
    await sender.send({
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
    if (failed && progress.failed) return refused(error.message);
    if (failed || !(error instanceof RefusedError)) {
      const request = lostNow(hasEnded(error));
      const lost = { ...progress, lost: progress.lost + 1, request, failed };
      return { kind: 'lost', reason: error.message, progress: lost };
    }
    const wasLost = doubtful || progress.lost > 0;
    if (wasLost && step.doneBefore?.test(error.errorMessage))
      return { ...progress, effects: progress.effects + 1 };
    if (!step.fulfilledBy?.test(error.errorMessage)) return refused(error.errorMessage);
    const isOurs = step.adds === true && wasLost;
    return isOurs ? { ...progress, maybeAdded: progress.maybeAdded + 1 } : progress;
  }
}

/** The contact center's words about one among several requests, with what it was about. */
function labelled({ label }: Step, message: string): string {
  return label === '' ? message : `${label}: ${message}`;
}

/** What must not be changed by two rows at a time: the client, by what its row says of it. */
export function keysOf(
  { clients }: Pick<Batch, 'clients'>,
  index: number,
  { keys }: ChangeRule,
): readonly string[] {
  return keys ? keys(subjectOf(clients, index)) : [identifiersOf(clients, index)];
}

/**
 * Keeps later rows from these members' clients while a lost request for them may still be carried out. Only changes
 * that are sent again before that need it: the late one would overwrite what a later row has written.
 */
export function holdClients(
  turns: Turns,
  rule: ChangeRule,
  clients: PreparedClients,
  lost: Iterable<readonly [index: number, request: LostRequest | null]>,
): void {
  if (rule.settle) return;
  for (const [index, request] of lost)
    if (request) turns.hold(keysOf({ clients }, index, rule), request.until);
}

/** Members of which, by the facts of earlier processes, some request was lost, whatever became of them since. */
export function everLost(
  { at }: PreparedClients,
  members: readonly number[],
  facts: readonly Fact[],
): number[] {
  const rows = new Set(facts.flatMap((fact) => (fact.kind === 'change_unknown' ? fact.rows : [])));
  return rows.size === 0 ? [] : members.filter((index) => rows.has(at[index] ?? -1));
}

/** Clients that are to be changed, each with how it stood before. */
interface Changing {
  readonly batch: Batch;
  readonly rule: ChangeRule;
  readonly earlier: ReadonlyMap<number, Earlier>;
  /** Whether an earlier part of the run may have changed them. */
  readonly doubtful: boolean;
  /** Called with members with which nothing more will be done, while others are waited for. */
  readonly onEnded: (members: readonly number[]) => void;
}

/** How far clients have come whose requests were lost on the way. */
type Progresses = ReadonlyMap<number, Progress>;

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
async function sendRound(
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

/** What a lookup of lost members came to. Members that are in none of these stay unknown. */
interface SettledChanges {
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
async function settleChanges(
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

/** Clients that share an intent, where the rule does not want fewer: of so many it is in doubt what a crash left. */
const AT_ONCE = 25;
/** Groups of a batch on their way: while one is recorded, another is sent. */
const GROUPS = 2;

/**
 * Changes clients. What was lost is settled by lookups where they can show it, and else sent again: the rule says which.
 * Resolves with the members with which all went well, and how they ended.
 */
async function changeClients(
  context: BatchContext,
  changing: Changing,
): Promise<Map<number, Outcome>> {
  const { batch, rule } = changing;
  const changed = new Map<number, Outcome>();
  const add = (outcomes: Outcomes): void => {
    for (const [index, outcome] of outcomes) changed.set(index, outcome);
  };
  const earlier = new Map(changing.earlier);
  let open = changing.doubtful ? inDoubt(context, changing) : NO_ONE;
  if (!changing.doubtful) {
    const first = await sendFirst(context, changing);
    add(first.changed);
    open = stillOpen(context, first.lost);
  }
  for (let lookedAt = -Infinity; open.size > 0;) {
    const lost = open;
    if (rule.settle) changing.onEnded(batch.members.filter((index) => !lost.has(index)));
    await waitForLookup(context, rule, lost, lookedAt);
    lookedAt = context.clock.now();
    const settled = await settleChanges(
      context,
      withMembers(changing, [...lost.keys()], earlier),
      lost,
    );
    add(new Map(settled.done.map((index) => [index, rule.outcome])));
    const progress = new Map(lost);
    for (const [index, how] of settled.fresh) {
      earlier.set(index, how);
      // Its requests are others now.
      const { lost: times = 0, request = null } = lost.get(index) ?? {};
      progress.set(index, { ...NO_PROGRESS, lost: times, request });
    }
    const round = await sendRound(context, withMembers(changing, settled.again, earlier), progress);
    add(round.changed);
    open = new Map([...settled.left, ...stillOpen(context, round.lost)]);
  }
  return changed;
}

/** Members of an earlier process, which may have left requests that are still worked on. */
function inDoubt(context: BatchContext, { batch, rule }: Changing): Progresses {
  const request = lostBefore(context);
  const lost = batch.members.map((index) => [index, request] as const);
  holdClients(context.turns, rule, batch.clients, lost);
  return new Map(batch.members.map((index) => [index, { ...NO_PROGRESS, request }]));
}

/** What can be sent twice waits for no deadline. */
function waitForLookup(
  context: BatchContext,
  { settle }: ChangeRule,
  lost: Progresses,
  lookedAt: number,
): Promise<void> {
  const requests = [...lost.values()].flatMap(({ request }) => request ?? []);
  const latest = latestOf(requests);
  const next = nextLookup(latest, context.settling, lookedAt);
  if (!settle) return sleepUntil(context, next);
  return untilLookup(context, next, lookedAt, { until: latest.until, clients: lost.size });
}

const withMembers = (
  changing: Changing,
  members: readonly number[],
  earlier: ReadonlyMap<number, Earlier>,
): Changing => ({ ...changing, earlier, batch: { ...changing.batch, members } });

/** Members whose next request has not been lost too often; the others stay unknown. */
function stillOpen(context: BatchContext, lost: Progresses): Progresses {
  const open = [...lost].filter(([, how]) => how.lost <= SETTLING_ROUNDS);
  context.onOutcome('unknown', lost.size - open.length);
  return new Map(open);
}

/** The first requests for every member, in groups, each after its intent. What is lost waits for all groups. */
async function sendFirst(context: BatchContext, changing: Changing) {
  const { batch, rule, earlier } = changing;
  const limit = pLimit(GROUPS);
  const groups = cutBySize(batch.members, rule.atOnce ?? AT_ONCE);
  const rounds = await allEnded(
    groups.map((members) =>
      limit(async () => {
        if (context.signal.aborted) throw interruption(context.signal);
        await record(context, batch, { kind: 'changing', rows: rowsOf(batch.clients, members) });
        return sendRound(context, withMembers(changing, members, earlier), NO_ONE);
      }),
    ),
  );
  return {
    changed: new Map(rounds.flatMap((round) => [...round.changed])),
    lost: new Map(rounds.flatMap((round) => [...round.lost])),
  };
}

const NO_ONE: Progresses = new Map();

/** What lookups found of clients before they are changed. */
interface LookedUp {
  readonly earlier: ReadonlyMap<number, Earlier>;
  /** Clients that are not there, and why the contact center says so. */
  readonly absent: ReadonlyMap<number, string>;
  /** Clients that the contact center refuses to look for. */
  readonly refused: ReadonlyMap<number, string>;
}

/**
 * Looks at every member before it is changed. Those that could not be asked for are left as they are: nothing of them
 * has been sent.
 */
async function lookUpClients(
  context: BatchContext,
  { clients, members }: Batch,
  { lookUp: look }: ChangeRule,
): Promise<LookedUp> {
  const earlier = new Map<number, Earlier>();
  const absent = new Map<number, string>();
  const refused = new Map<number, string>();
  if (!look) return { earlier: new Map(members.map((index) => [index, {}])), absent, refused };
  const answers = await lookUp(context, members, (index) =>
    orRefusal(look(subjectOf(clients, index))),
  );
  for (const [place, index] of members.entries()) {
    const answer = answers[place];
    if (answer === undefined) continue;
    if ('refusal' in answer) refused.set(index, answer.refusal);
    else if (isAbsent(answer)) absent.set(index, answer.absent);
    else earlier.set(index, answer);
  }
  return { earlier, absent, refused };
}

/** A client whose rows are many is changed row by row, in their order: this parts a batch so that no part has it twice. */
export function waves(batch: Batch, rule: ChangeRule): number[][] {
  const parted: number[][] = [];
  const next = new Map<string, number>();
  for (const index of batch.members) {
    const keys = keysOf(batch, index, rule);
    const number = Math.max(0, ...keys.map((key) => next.get(key) ?? 0));
    for (const key of keys) next.set(key, number + 1);
    (parted[number] ??= []).push(index);
  }
  return parted;
}

/** What came of clients that an import may change. */
interface Changed {
  readonly changed: Outcomes;
  /** Clients that are not there. */
  readonly absent: readonly number[];
}

const NOT_ASKED =
  'The contact center did not say how this client stands, so that nothing was changed.';

interface ChangeOptions {
  readonly rule: ChangeRule;
  /** Whether a client that is not there has failed; else it is left to the caller. */
  readonly fails: boolean;
  /** Called with members with which nothing more will be done, while others are waited for. */
  readonly onEnded: (members: readonly number[]) => void;
}

/** Looks clients up, records how they stood, and changes them. */
export async function lookUpAndChange(
  context: BatchContext,
  batch: Batch,
  { rule, fails, onEnded }: ChangeOptions,
): Promise<Changed> {
  const { clients, members } = batch;
  const at = (index: number): number => clients.at[index] ?? 0;
  const { earlier, absent, refused } = await lookUpClients(context, batch, rule);
  const found = [...earlier.keys()];
  const failed = [...refused, ...(fails ? absent : [])];
  const open = members.filter(
    (index) => !earlier.has(index) && !absent.has(index) && !refused.has(index),
  );
  const facts: Fact[] = [];
  const toCreate = fails ? [] : [...absent.keys()];
  if (rule.lookUp && found.length + toCreate.length > 0)
    facts.push({
      kind: 'looked_up',
      found: [...earlier].map(([index, how]) => [at(index), how] as const),
      ...(toCreate.length > 0 ? { absent: rowsOf(clients, toCreate) } : {}),
    });
  if (failed.length > 0)
    facts.push({
      kind: 'changed',
      as: rule.outcome,
      results: failed.map(([index, refusal]) => [at(index), refusal] as const),
    });
  if (open.length > 0)
    facts.push({ kind: 'change_unknown', rows: rowsOf(clients, open), reason: NOT_ASKED });
  if (facts.length > 0) await record(context, batch, ...facts);
  context.onOutcome('failed', failed.length);
  context.onOutcome('unknown', open.length);
  const all = { ...batch, members: found };
  const changing = { batch: all, rule, earlier, doubtful: false, onEnded };
  const changed = await changeClients(context, changing);
  return { changed, absent: toCreate };
}

/**
 * Goes on with clients that an earlier part of the run may have changed. Of whom it is not on record how they stood,
 * nothing had been sent.
 */
export async function settleAndChange(
  context: BatchContext,
  batch: Batch,
  earlier: ReadonlyMap<number, Earlier>,
  options: ChangeOptions,
): Promise<Changed> {
  const { rule, onEnded } = options;
  const isKnown = (index: number): boolean => !rule.lookUp || earlier.has(index);
  const doubtful = batch.members.filter(isKnown);
  const fresh = batch.members.filter((index) => !isKnown(index));
  const all = { ...batch, members: doubtful };
  const changing = { batch: all, rule, earlier, doubtful: true, onEnded };
  const settled = await changeClients(context, changing);
  const { changed, absent } = await lookUpAndChange(context, { ...batch, members: fresh }, options);
  return { changed: new Map([...settled, ...changed]), absent };
}
