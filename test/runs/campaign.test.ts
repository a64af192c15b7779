import { describe, expect, it } from 'vitest';
import { resolveCampaign, type CampaignQuestion } from '../../src/run/campaigns.js';
import { createPermits } from '../../src/delivery/sender.js';
import type { CampaignChoice } from '../../src/run/requests.js';
import { type Clock, DEFAULT_PATIENCE } from '../../src/core/time.js';
import {
  NotSentError,
  OutcomeUnknownError,
  RefusedError,
  TryLaterError,
} from '../../src/core/errors.js';
import { createTimeline } from '../simulation/timeline.js';
import { useBench, until } from '../kit/bench.js';

const OPERATION = 'listCampaigns';
const UNREACHED = new NotSentError('It refuses connections.', OPERATION);
const GATEWAY = new OutcomeUnknownError('The gateway got no answer.', OPERATION, 502);
const SERVER_ERROR = new RefusedError('Out of order.', OPERATION, 500);

type Campaigns = Awaited<ReturnType<CampaignQuestion['center']['listCampaigns']>>;
const CAMPAIGNS = [{ id: 42, name: 'Autumn leads', typeProcessing: 'OPERATOR' }] as Campaigns;

interface Asked {
  readonly id: number | undefined;
  readonly error: Error | undefined;
  /** Virtual milliseconds that it took. */
  readonly ms: number;
  readonly requests: number;
  readonly warnings: readonly (readonly [at: number, message: string])[];
}

type Answer = (number: number, now: number) => Error | 'silence' | Campaigns;

/** Resolves a campaign in virtual time; `answer` decides what each request meets. */
async function ask(
  choice: CampaignChoice,
  answer: Answer,
  patience = DEFAULT_PATIENCE,
  stopAt?: number,
): Promise<Asked> {
  const timeline = createTimeline();
  const stop = new AbortController();
  if (stopAt !== undefined) timeline.after(stopAt, () => stop.abort());
  const clock: Clock = { now: () => timeline.now(), sleep };
  const warnings: [number, string][] = [];
  let requests = 0;
  const question: CampaignQuestion = {
    center: {
      listCampaigns: async (_input, { timeoutMs = 0, signal } = {}) => {
        const what = answer(++requests, timeline.now());
        await sleep(what === 'silence' ? timeoutMs : 20, signal).catch(() => {
          throw new OutcomeUnknownError('Given up.', OPERATION);
        });
        if (what === 'silence') throw new OutcomeUnknownError('No answer in time.', OPERATION);
        if (what instanceof Error) throw what;
        return what;
      },
    },
    address: 'http://center.example.com',
    ...{ clock, random: () => 0.5, patience, timeoutMs: 60_000 },
    ...{ pace: {}, permits: createPermits({}) },
    ...{ onMet: () => undefined, isKnown: () => false },
    signal: stop.signal,
    onWarning: (message) => warnings.push([timeline.now(), message]),
  };
  let ended: { id?: number | undefined; error?: Error } | undefined;
  resolveCampaign(question, choice, undefined).then(
    (settings) => (ended = { id: settings?.id }),
    (error: unknown) => (ended = { error: error as Error }),
  );
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    if (ended || !timeline.next()) break;
  }
  return { id: ended?.id, error: ended?.error, ms: timeline.now(), requests, warnings };

  function sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const wake = timeline.after(ms, () => {
        signal?.removeEventListener('abort', give);
        resolve();
      });
      const give = (): void => {
        wake.cancel();
        reject(signal?.reason as Error);
      };
      if (signal?.aborted) give();
      else signal?.addEventListener('abort', give, { once: true });
    });
  }
}

const BY_NAME = { name: 'Autumn leads' };
const BY_ID = { id: 42 };

describe('looking for the campaign', () => {
  it.each([BY_NAME, BY_ID])(
    'is tried again until the contact center answers (%j)',
    async (choice) => {
      const busy = new TryLaterError('It is busy.', OPERATION, 503, 3_000);
      const answers: ReturnType<Answer>[] = [UNREACHED, busy, 'silence', CAMPAIGNS];
      const asked = await ask(choice, (number) => answers[number - 1]!, {
        atStart: 120_000,
        later: 120_000,
      });
      expect(asked).toMatchObject({ id: 42, requests: 4 });
      expect(asked.ms).toBeGreaterThan(63_000);
      expect(asked.warnings).toHaveLength(1);
      expect(asked.warnings[0]?.[1]).toContain(UNREACHED.message);
    },
  );

  it.each<[CampaignChoice, Error | 'silence']>([
    [BY_NAME, UNREACHED],
    [BY_ID, UNREACHED],
    [BY_NAME, GATEWAY],
    [BY_NAME, SERVER_ERROR],
    [BY_NAME, 'silence'],
    [BY_ID, 'silence'],
  ])('is given up after ten seconds without one answer (%j, %s)', async (choice, what) => {
    const asked = await ask(choice, () => what);
    expect(asked.error).toMatchObject({ exitCode: 3 });
    const isAnswered = what === GATEWAY || what === SERVER_ERROR;
    expect(asked.error?.message).toContain(
      isAnswered ? 'did not answer as it should' : 'could not be reached',
    );
    expect(asked.ms).toBeLessThanOrEqual(10_000);
    const own = await ask(choice, () => what, { atStart: 60_000, later: 60_000 });
    expect(own.error).toMatchObject({ exitCode: 3 });
    expect(own.ms).toBeGreaterThan(20_000);
    // The pause after many failures may begin before the end of the patience.
    expect(own.ms).toBeLessThanOrEqual(80_000);
  });

  it('tells what is waited for within a second, and once', async () => {
    const silent = await ask(BY_NAME, () => 'silence');
    expect(silent.warnings).toEqual([[1000, expect.stringContaining('center.example.com')]]);
    const dead = await ask(BY_NAME, () => UNREACHED);
    expect(dead.warnings).toEqual([[20, expect.stringContaining(UNREACHED.message)]]);
    const quick = await ask(BY_NAME, () => CAMPAIGNS);
    expect(quick.warnings).toEqual([]);
  });

  it.each<[string, () => Error | 'silence']>([
    ['an answer', () => 'silence'],
    ['the next try', () => new TryLaterError('It is busy.', OPERATION, 429, 9_000)],
  ])('ends at once when the person does not want to wait for %s', async (_what, answer) => {
    const asked = await ask(BY_NAME, answer, DEFAULT_PATIENCE, 4_321);
    expect(asked.error).toMatchObject({ exitCode: 3 });
    expect(asked.error?.message).toMatch(/^Interrupted/);
    expect(asked.ms).toBe(4_321);
    expect(asked.warnings).toHaveLength(1);
  });

  it('goes on without, when an id is known and the answer is another one', async () => {
    for (const what of [GATEWAY, SERVER_ERROR]) {
      const asked = await ask(BY_ID, () => what);
      expect(asked).toMatchObject({ id: 42, requests: 1, error: undefined });
      expect(asked.warnings).toEqual([[20, expect.stringContaining(what.message)]]);
    }
  });
});

describe('an import into a campaign', () => {
  const bench = useBench();

  const OPTIONS = ['--campaign', 'Autumn leads'];

  it('ends at the first Ctrl-C while nobody answers', async () => {
    bench.center.behave = () => ({ silent: true });
    const file = await bench.list(5);
    const { child, ended } = bench.start('run', [file], [...OPTIONS, '--give-up-after', '1h']);
    let told = '';
    child.stderr.on('data', (text: string) => (told += text));
    await until(() => told.includes(`Waiting for ${bench.center.url}`), 'the person is told');
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect(code).toBe(3);
    expect(stderr).toMatch(/Interrupted/);
    expect(stderr).not.toMatch(/trying on/);
  });
});

it.each([{ id: 42 }, { name: 'Autumn leads' }])(
  'a list without the campaign %j is not believed at once, and no other one is taken for it',
  async (choice) => {
    const others = [{ id: 41, name: 'Winter leads', typeProcessing: 'OPERATOR' }] as Campaigns;
    const once = await ask(choice, (number) => (number === 1 ? [] : CAMPAIGNS));
    expect([once.id, once.requests]).toEqual([42, 2]);
    const never = await ask(choice, () => others);
    expect(never.requests).toBe(2);
    expect(never.error?.message).toMatch(/has no campaign/);
  },
);
