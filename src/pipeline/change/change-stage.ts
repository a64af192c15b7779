import pLimit from 'p-limit';
import type { Earlier } from '../../core/center.js';
import type { Outcome } from '../../core/outcome.js';
import { cutBySize, rowsOf } from '../batch/batch.js';
import { type BatchContext, record } from '../batch-context.js';
import {
  SETTLING_ROUNDS,
  allEnded,
  lostBefore,
  sleepUntil,
  untilLookup,
} from '../settle/settle.js';
import { latestOf, nextLookup } from '../settle/settle-schedule.js';
import { interruption } from '../../core/errors.js';
import { NO_PROGRESS } from './chain.js';
import { holdClients } from './hold.js';
import { type Changing, type Outcomes, type Progresses, sendRound } from './round.js';
import type { ChangeRule } from './rule.js';
import { settleChanges } from './settle-change.js';

/** Clients that share an intent, where the rule does not want fewer: of so many it is in doubt what a crash left. */
const AT_ONCE = 25;
/** Groups of a batch on their way: while one is recorded, another is sent. */
const GROUPS = 2;

/**
 * Changes clients. What was lost is settled by lookups where they can show it, and else sent again: the rule says which.
 * Resolves with the members with which all went well, and how they ended.
 */
export async function changeClients(
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
