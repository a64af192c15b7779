import { describe, expect, it } from 'vitest';
import { withRetries } from '../../../src/operations/operation.js';
import type { Methods } from '../../../src/client/contact-center.js';
import type { Clock } from '../../../src/core/time.js';
import {
  NotSentError,
  OutcomeUnknownError,
  RefusedError,
  TryLaterError,
} from '../../../src/core/errors.js';

/** A contact center whose two methods fail so, one failure after the other, and then answer. */
function asking(failures: readonly Error[], attemptMs = 0) {
  const waits: number[] = [];
  const stop = new AbortController();
  let now = 0;
  let sent = 0;
  const clock: Clock = {
    now: () => now,
    sleep: (ms) => {
      waits.push(ms);
      now += ms;
      return Promise.resolve();
    },
  };
  const attempt = (): Promise<never> => {
    now += attemptMs;
    const failure = failures[sent++];
    return failure ? Promise.reject(failure) : (Promise.resolve({ taskId: 5 }) as Promise<never>);
  };
  const center = { campaignTask: attempt, startCampaign: attempt } as unknown as Methods;
  const ask = withRetries({ center: () => center, clock, random: () => 0.5, signal: stop.signal });
  const params = { campaignId: 1 };
  return {
    waits,
    stop,
    sent: () => sent,
    read: () => ask('campaignTask', { params }),
    change: () => ask('startCampaign', { params }),
  };
}

const notSent = new NotSentError('it was not reached', 'x');
const lost = new OutcomeUnknownError('no answer', 'x');
const busy = (ms?: number) => new TryLaterError('it is busy', 'x', 503, ms);
const times = (error: Error, count: number): Error[] => Array.from({ length: count }, () => error);

describe('asking patiently', () => {
  it('sends again what never left, and what was turned away', async () => {
    const { read, change, sent, waits } = asking([notSent, busy(), busy(1_000)]);
    expect(await read()).toEqual({ taskId: 5 });
    expect(sent()).toBe(4);
    expect(waits.at(-1)).toBeGreaterThanOrEqual(1_000);
    await change();
  });

  it('gives up after four times', async () => {
    const { change, sent } = asking(times(notSent, 9));
    await expect(change()).rejects.toThrow('it was not reached. Nothing was done.');
    expect(sent()).toBe(4);
  });

  it('does not begin anew when a person has waited for long', async () => {
    const { read, sent } = asking(times(lost, 9), 11_000);
    await expect(read()).rejects.toThrow(OutcomeUnknownError);
    expect(sent()).toBe(1);
  });

  it('sends a question again whose answer was lost, and a change never', async () => {
    const question = asking([lost, lost]);
    await question.read();
    expect(question.sent()).toBe(3);
    const change = asking([lost]);
    await expect(change.change()).rejects.toThrow('Whether it took effect is not known');
    expect(change.sent()).toBe(1);
  });

  it('stops when the person does', async () => {
    const { change, sent, stop } = asking(times(notSent, 9));
    stop.abort();
    await expect(change()).rejects.toThrow(NotSentError);
    expect(sent()).toBe(1);
  });

  it('takes a refusal for an end', async () => {
    const refused = new RefusedError('No', 'x', 400);
    const { change, sent } = asking([refused]);
    await expect(change()).rejects.toBe(refused);
    expect(sent()).toBe(1);
  });
});
