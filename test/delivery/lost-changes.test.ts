import { describe, expect, test } from 'vitest';
import type { ApplicationState, Change, ClientChanges } from '../../src/core/client.js';
import { OutcomeUnknownError, RefusedError } from '../../src/core/errors.js';
import { changeRuleOf, undoRule } from '../../src/delivery/rules.js';
import { chunkOf } from '../kit/chunks.js';
import { CAMPAIGN, type Fate, type Lab, NO_CLIENT, SECOND, type Start, openLab } from './lab.js';

const LOST = new OutcomeUnknownError('No answer in time.', 'change');
/** The application itself says so. */
const FAILED = new RefusedError('Internal error.', 'change', 500);
/** It says so after all, and has done what it was asked for. */
const LATE_FAILURE: Fate = { lost: FAILED, after: 0 };
const CALL_AT = '2095-11-21T10:00:00+03:00';

interface Center {
  isThere: boolean;
  inCampaign: boolean;
  callbacks: string[];
  comment: string;
  /** Requests that change something, with the time at which they left. */
  readonly sent: { readonly change: Change; readonly at: number }[];
  readonly changes: NonNullable<Start['changes']>;
}

const refusal = (message: string) => new RefusedError(message, 'change', 400);

/** A contact center with one client. `fates`: what befalls the requests that change it, in order. */
function openCenter(lab: Lab, fates: readonly (Fate | undefined)[]): Center {
  const carryOut = ({ operation, body }: Change): void => {
    if (!center.isThere) throw refusal(NO_CLIENT);
    if (operation === 'deleteClient') center.isThere = center.inCampaign = false;
    const { name, fieldsToUpdate } = JSON.parse(body) as {
      name?: string;
      fieldsToUpdate?: { comment: string };
    };
    if (fieldsToUpdate) center.comment = fieldsToUpdate.comment;
    if (operation !== 'removeApplication' && operation !== 'createCallback') return;
    if (!center.inCampaign) throw refusal('Client not found in campaign');
    if (operation === 'removeApplication') center.inCampaign = false;
    else center.callbacks.push(name ?? '');
  };
  const application = (): ApplicationState => ({
    campaignId: CAMPAIGN,
    hasRecall: center.callbacks.length > 0,
    status: null,
    calledCount: null,
    nextCall: null,
  });
  const center: Center = {
    isThere: true,
    inCampaign: true,
    callbacks: [],
    comment: 'old',
    sent: [],
    changes: {
      change: (change) => {
        center.sent.push({ change, at: lab.timeline.now() });
        return lab.meet(fates[center.sent.length - 1], () => carryOut(change));
      },
      readCard: () =>
        lab.meet(undefined, () =>
          center.isThere ? { id: 5, fields: { comment: center.comment } } : { absent: NO_CLIENT },
        ),
      readApplications: () =>
        lab.meet(undefined, () => {
          if (!center.isThere) return { absent: NO_CLIENT };
          return center.inCampaign ? [application()] : [];
        }),
    },
  };
  return center;
}

const callback = (name: string) => ({
  ...{ name, description: name, phone: '79161234567', operatorId: 7 },
  ...{ callAt: CALL_AT, callAutomatically: false },
});
const update = (comment: string) => ({
  ...{ uuid: 'u', fields: { offerId: 1, comment } },
  ...{ phones: [], emails: [], addresses: [] },
});

type Rule = NonNullable<Start['change']>;
const deleting: Rule = (changes) => changeRuleOf('delete', changes, null)!;
const updating: Rule = (changes) => changeRuleOf('update', changes, null)!;
const RULES: Readonly<
  Record<string, { rule: Rule; payload: object; isDone: (center: Center) => boolean }>
> = {
  deleted: { rule: deleting, payload: {}, isDone: ({ isThere }) => !isThere },
  dequeued: {
    rule: (changes) => changeRuleOf('dequeue', changes, CAMPAIGN)!,
    payload: { cancelCallbacks: true },
    isDone: ({ inCampaign }) => !inCampaign,
  },
  undone: {
    rule: (changes) => undoRule(changes, { campaignId: null, cancelCallbacks: true }),
    payload: { created: true, enqueued: false, clientId: 5, fields: null },
    isDone: ({ isThere }) => !isThere,
  },
};

interface Case {
  readonly lab: Lab;
  readonly center: Center;
  readonly start: Start;
}

function open(rule: Rule, payloads: readonly object[], fates: readonly (Fate | undefined)[]): Case {
  const lab = openLab();
  const center = openCenter(lab, fates);
  const rows = payloads.map((payload) => ({ id: 1, payload }));
  const start = { chunks: [chunkOf(rows)], change: rule, changes: center.changes };
  return { lab, center, start };
}

const told = async (lab: Lab) =>
  (await lab.rows()).map(({ outcome, changeResult }) => [outcome, changeResult]);

describe.each(Object.entries(RULES))(
  'a client that is to be %s',
  (outcome, { rule, payload, isDone }) => {
    test('is confirmed early where the lost request was carried out', async () => {
      const { lab, center, start } = open(rule, [payload], [{ lost: LOST, after: 3 * SECOND }]);
      await lab.end(lab.start(start));
      expect(center.sent).toHaveLength(1);
      expect(await told(lab)).toEqual([[outcome, expect.stringMatching(/^Success/)]]);
      expect(lab.timeline.now()).toBeLessThan(10 * SECOND);
    });

    test('is looked at where the contact center says twice that it failed', async () => {
      const { lab, center, start } = open(rule, [payload], [{ lost: FAILED }, LATE_FAILURE]);
      await lab.end(lab.start(start));
      expect(center.sent).toHaveLength(2);
      expect(await told(lab)).toEqual([[outcome, expect.stringMatching(/^Success/)]]);
    });

    test('is left alone until the deadline, and sent again after that', async () => {
      const { lab, center, start } = open(rule, [payload], [{ lost: LOST }]);
      await lab.end(lab.start(start));
      expect(isDone(center)).toBe(true);
      expect(center.sent).toHaveLength(2);
      expect(center.sent[1]!.at - center.sent[0]!.at).toBeGreaterThanOrEqual(60 * SECOND);
      expect(await told(lab)).toEqual([[outcome, 'Success']]);
    });

    test('has not failed when the request that is sent again comes after the lost one', async () => {
      const fates = [{ lost: LOST, after: SECOND + 15 }, undefined];
      const { lab, center, start } = open(rule, [payload], fates);
      // The deadline is wrong: the first request is carried out between the lookup and the second one.
      await lab.end(lab.start({ ...start, settings: { serverDeadlineMs: SECOND } }));
      expect(center.sent).toHaveLength(2);
      expect(await told(lab)).toEqual([[outcome, 'Success']]);
    });
  },
);

test('a client that was never there has failed, whatever was lost of others', async () => {
  const { lab, center, start } = open(deleting, [{}], []);
  center.isThere = false;
  await lab.end(lab.start(start));
  expect(await told(lab)).toEqual([['failed', NO_CLIENT]]);
});

describe('a change that can be sent twice', () => {
  test('is soon sent again, and nobody waits for the deadline', async () => {
    const fates = [{ lost: LOST, after: 40 * SECOND }];
    const { lab, center, start } = open(updating, [update('new')], fates);
    await lab.end(lab.start(start));
    expect(center.comment).toBe('new');
    expect(lab.timeline.now()).toBeLessThan(10 * SECOND);
    expect(lab.told).not.toContainEqual(expect.stringContaining('Waiting'));
  });

  test('does not undo the next row of its client, however late it is carried out', async () => {
    const fates = [{ lost: LOST, after: 40 * SECOND }];
    const { lab, center, start } = open(updating, [update('first'), update('second')], fates);
    await lab.end(lab.start(start));
    await lab.pass(100 * SECOND);
    expect(center.comment).toBe('second');
    expect(await told(lab)).toEqual([
      ['updated', 'Success'],
      ['updated', 'Success'],
    ]);
    expect(lab.told.at(-1)).toMatch(/^Waiting up to \d+ s: .* 1 client /);
  });

  test('nor where it stays unknown: what comes behind it is not sent, and waits for nothing', async () => {
    const fates = Array<Fate>(20).fill({ lost: LOST });
    const { lab, center, start } = open(updating, [update('first'), update('second')], fates);
    await lab.end(lab.start(start));
    expect(center.sent.filter(({ change }) => change.body.includes('second'))).toEqual([]);
    expect(await told(lab)).toEqual(Array(2).fill(['unknown', null]));
    expect(lab.timeline.now()).toBeLessThan(40 * SECOND);
  });

  test('nor does it after a kill', async () => {
    const fates = [{ lost: LOST, after: 40 * SECOND }];
    const { lab, center, start } = open(updating, [update('first'), update('second')], fates);
    const life = lab.start(start);
    await lab.pass(25);
    life.kill();
    expect(center.sent).toHaveLength(1);
    await lab.end(lab.start(start));
    await lab.pass(100 * SECOND);
    expect(center.comment).toBe('second');
  });

  test('nor where the first row had been sent again before the kill', async () => {
    const fates = [{ lost: LOST, after: 40 * SECOND }];
    const { lab, center, start } = open(updating, [update('first'), update('second')], fates);
    const life = lab.start(start);
    await lab.pass(5 * SECOND);
    expect(center.sent).toHaveLength(2);
    life.kill();
    await lab.end(lab.start(start));
    await lab.pass(100 * SECOND);
    expect(center.comment).toBe('second');
  });
});

test('rows of one client are changed one after the other, in their order', async () => {
  const comments = Array.from({ length: 24 }, (_, at) => `no. ${at}`);
  const { lab, center, start } = open(updating, comments.map(update), []);
  await lab.end(lab.start(start));
  const sent = center.sent.map(({ change: { body } }) => /no\. \d+/.exec(body)?.[0]);
  expect(sent).toEqual(comments);
  // No two at a time.
  expect(new Set(center.sent.map(({ at }) => at)).size).toBe(24);
});

describe('a callback', () => {
  const rule: Rule = (changes) => changeRuleOf('callbacks', changes, CAMPAIGN)!;
  const MAY_BE = `The answer was lost. The client's call application in campaign 42 has a callback, which may be this one or another: look whether it has one for ${CALL_AT}.`;
  const reasons = async (lab: Lab) =>
    (await lab.rows()).map(({ problems }) => problems[0]?.message);

  test.each([
    ['carried out', 1],
    ['carried out late', 30 * SECOND],
  ])('whose answer was lost is never claimed, and not sent again (%s)', async (_what, after) => {
    const { lab, center, start } = open(rule, [callback('one')], [{ lost: LOST, after }]);
    await lab.end(lab.start(start));
    expect(center.callbacks).toEqual(['one']);
    expect(await told(lab)).toEqual([['unknown', null]]);
    expect(await reasons(lab)).toEqual([MAY_BE]);
  });

  test('is sent again when there was none at the deadline', async () => {
    const { lab, center, start } = open(rule, [callback('one')], [{ lost: LOST }]);
    await lab.end(lab.start(start));
    expect(center.callbacks).toEqual(['one']);
    expect(center.sent[1]!.at - center.sent[0]!.at).toBeGreaterThanOrEqual(60 * SECOND);
    expect(await told(lab)).toEqual([['scheduled', 'Success']]);
  });

  test('that was lost stays unknown when somebody else has created one since', async () => {
    const { lab, center, start } = open(rule, [callback('one')], [{ lost: LOST }]);
    lab.timeline.after(SECOND, () => center.callbacks.push('of an operator'));
    await lab.end(lab.start(start));
    expect(center.callbacks).toEqual(['of an operator']);
    expect(await told(lab)).toEqual([['unknown', null]]);
    // Nor does continuing the run claim it.
    await lab.end(lab.start(start));
    expect(await told(lab)).toEqual([['unknown', null]]);
    expect(await reasons(lab)).toEqual([MAY_BE]);
    expect(center.sent).toHaveLength(1);
  });

  test('that was lost is not told from that of the next row after a kill', async () => {
    const rows = [callback('one'), callback('two')];
    const { lab, center, start } = open(rule, rows, [{ lost: LOST }]);
    // An operator's callback ends the first row as unknown, is taken away, and the second row is carried out.
    lab.timeline.after(SECOND, () => center.callbacks.push('of an operator'));
    lab.timeline.after(2.5 * SECOND, () => (center.callbacks = center.callbacks.slice(1)));
    const life = lab.start(start);
    await lab.pass(10 * SECOND);
    life.kill();
    await lab.end(lab.start(start));
    expect(center.callbacks).toEqual(['two']);
    expect((await lab.rows()).map(({ outcome }) => outcome)).toEqual(['unknown', 'scheduled']);
    expect((await lab.rows())[0]?.changeResult).toBeNull();
  });
});

describe('the rule of an update', () => {
  const changes: ClientChanges = {
    change: () => Promise.resolve(),
    readCard: () =>
      Promise.resolve({ id: 1, fields: { offerId: 7, fullName: 'Ann', budget: '5' } }),
    readApplications: () => Promise.resolve([]),
  };
  const subject = {
    identifiers: '{"offerId":7}',
    payload: {
      fields: { offerId: 7, fullName: 'Ann', budget: 5 },
      phones: [],
      emails: [],
      addresses: [],
    } as never,
  };

  test('sends no field that has its value already, as text or as number', async () => {
    const { lookUp, steps } = changeRuleOf('update', changes, null)!;
    const earlier = await lookUp?.(subject);
    expect(steps(subject, earlier && !('absent' in earlier) ? earlier : {})).toEqual([]);
  });

  test('sends all fields of a client that an earlier part of the run looked up', () => {
    const [step, ...others] = changeRuleOf('update', changes, null)?.stepsInDoubt?.(subject) ?? [];
    expect(others).toEqual([]);
    expect(step?.body).toContain('"fieldsToUpdate":{"fullName":"Ann","budget":5}');
  });
});

test.each(['deleted', 'dequeued'])('what fails twice and is not %s is refused', async (outcome) => {
  const { rule, payload } = RULES[outcome]!;
  const { lab, center, start } = open(rule, [payload], [{ lost: FAILED }, { lost: FAILED }]);
  await lab.end(lab.start(start));
  expect(center.sent).toHaveLength(2);
  expect(await told(lab)).toEqual([['failed', 'Internal error.']]);
});

test.each([
  ['another id', 6, {}, 'Another card has these identifiers now; it was left as it is.'],
  ['no id', null, {}, undefined],
  ['no id, of a client that the run created', null, { created: true }, /^Another card/],
])('what a run did is taken back by the id of its card: %s', async (...[, id, more, remark]) => {
  const changes = {
    readCard: () => Promise.resolve({ id, fields: {} }),
  } as unknown as ClientChanges;
  const rule = undoRule(changes, { campaignId: null, cancelCallbacks: true });
  const payload = { clientId: 5, enqueued: true as const, ...more };
  const how = (await rule.lookUp?.({ identifiers: '{}', payload })) as { remark?: string };
  if (remark === undefined) expect(how.remark).toBeUndefined();
  else expect(how.remark).toMatch(remark);
});
