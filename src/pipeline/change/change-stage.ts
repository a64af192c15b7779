import pLimit from 'p-limit';
import type { Earlier } from '../../core/change.js';
import { cutBySize, rowsOf } from '../batch.js';
import { type DeliveryContext, record } from '../delivery-context.js';
import { SETTLING_ROUNDS, allEnded, lookUp, waitToSettle } from '../settle.js';
import { INTERRUPTED, StopRun } from '../stop.js';
import { NO_PROGRESS, type Progress } from './chain.js';
import { subjectOf } from './payload.js';
import { type Changing, type Progresses, sendRound } from './round.js';

/** Clients that share an intent, where the rule does not want fewer: of so many it is in doubt what a crash left. */
const AT_ONCE = 25;
/** Groups of a batch on their way: while one is recorded, another is sent. */
const GROUPS = 2;

/**
 * Changes clients. What was lost is settled by a lookup where one can tell, and else sent again: the rule says which.
 * Resolves with the members that were changed.
 */
export async function changeClients(
  context: DeliveryContext,
  changing: Changing,
): Promise<number[]> {
  const changed: number[] = [];
  const earlier = new Map(changing.earlier);
  let lost = new Map<number, Progress>();
  let open = changing.batch.members;
  if (!changing.doubtful) {
    const first = await sendFirst(context, changing);
    changed.push(...first.changed);
    lost = first.lost;
    open = stillOpen(context, lost);
  }
  while (open.length > 0) {
    const settled = await settle(context, withMembers(changing, open, earlier));
    changed.push(...settled.done);
    for (const [index, how] of settled.fresh) {
      earlier.set(index, how);
      // Its requests are others now.
      lost.set(index, { ...NO_PROGRESS, lost: lost.get(index)?.lost ?? 0 });
    }
    const round = await sendRound(context, withMembers(changing, settled.again, earlier), lost);
    changed.push(...round.changed);
    lost = new Map(round.lost);
    open = stillOpen(context, lost);
  }
  return changed;
}

const withMembers = (
  changing: Changing,
  members: readonly number[],
  earlier: ReadonlyMap<number, Earlier>,
): Changing => ({ ...changing, earlier, batch: { ...changing.batch, members } });

/** Members whose next request has not been lost too often; the others stay unknown. */
function stillOpen(context: DeliveryContext, lost: Progresses): number[] {
  const open = [...lost].flatMap(([index, how]) => (how.lost <= SETTLING_ROUNDS ? [index] : []));
  context.onOutcome('unknown', lost.size - open.length);
  return open;
}

/** The first requests for every member, in groups, each after its intent. What is lost waits for all groups. */
async function sendFirst(context: DeliveryContext, changing: Changing) {
  const { batch, rule, earlier } = changing;
  const limit = pLimit(GROUPS);
  const groups = cutBySize(batch.members, rule.atOnce ?? AT_ONCE);
  const rounds = await allEnded(
    groups.map((members) =>
      limit(async () => {
        if (context.signal.aborted) throw new StopRun(INTERRUPTED);
        await record(context, batch, { kind: 'changing', rows: rowsOf(batch.clients, members) });
        return sendRound(context, withMembers(changing, members, earlier), NO_ONE);
      }),
    ),
  );
  return {
    changed: rounds.flatMap((round) => round.changed),
    lost: new Map(rounds.flatMap((round) => [...round.lost])),
  };
}

const NO_ONE: Progresses = new Map();

/** Parts lost members into those that were changed and those that are to be sent again. */
async function settle(context: DeliveryContext, { batch, rule, earlier }: Changing) {
  await waitToSettle(context);
  const { settle: look } = rule;
  const { clients, members } = batch;
  const fresh = new Map<number, Earlier>();
  if (!look) return { done: [], again: members, fresh };
  const answers = await lookUp(context, members, (index) =>
    look(subjectOf(clients, index), earlier.get(index) ?? NOTHING_KNOWN),
  );
  const done = members.filter((_, at) => answers[at] === 'done');
  for (const [at, index] of members.entries()) {
    const answer = answers[at];
    if (typeof answer === 'object') fresh.set(index, answer.again);
  }
  const again = members.filter((index, at) => answers[at] === 'again' || fresh.has(index));
  if (done.length > 0) {
    const rows = done.map((index) => clients.at[index] ?? 0);
    await record(context, batch, { kind: 'change_settled', as: rule.outcome, rows });
  }
  context.onOutcome('unknown', members.length - done.length - again.length);
  return { done, again, fresh };
}

const NOTHING_KNOWN: Earlier = {};
