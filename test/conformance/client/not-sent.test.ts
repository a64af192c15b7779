import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createContactCenter, createCenterPort } from '../../../src/client/contact-center.js';
import { NotSentError, OutcomeUnknownError } from '../../../src/core/errors.js';
import { installationAt, serveRaw } from './servers.js';

/** What the server does with a request, and when the caller gives it up. */
const DEEDS = ['answer', 'answer and close', 'close', 'reset', 'half', 'silence'] as const;
const step = fc.record({
  deed: fc.constantFrom('answer', ...DEEDS),
  giveUpAfterMs: fc.option(fc.integer({ min: 0, max: 8 }), { nil: undefined, freq: 4 }),
  timeoutMs: fc.integer({ min: 1, max: 60 }),
  pauseMs: fc.integer({ min: 0, max: 3 }),
});

const answerTo = (id: number): string => {
  const body = JSON.stringify({ createResult: [{ uuid: String(id), result: 'Success' }] });
  return `HTTP/1.1 201 Created\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
};

function react(socket: Socket, deed: (typeof DEEDS)[number], id: number): void {
  if (deed === 'answer') socket.write(answerTo(id));
  if (deed === 'answer and close') socket.end(answerTo(id));
  if (deed === 'close') socket.end();
  if (deed === 'reset') socket.resetAndDestroy();
  if (deed === 'half') socket.end(answerTo(id).slice(0, -9));
}

it('a request that counts as not sent never arrived, and none arrives twice', async () => {
  const seen: number[] = [];
  const deeds = new Map<number, (typeof DEEDS)[number]>();
  const url = await serveRaw((socket) => {
    socket.on('data', (data) => {
      const id = Number(/"id":(\d+)/.exec(data.toString())?.[1]);
      seen.push(id);
      react(socket, deeds.get(id) ?? 'reset', id);
    });
  });
  let lastId = 0;
  const counts = { answered: 0, notSent: 0, unknown: 0 };
  const run = async (steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]) => {
    const center = createContactCenter(installationAt(url), { connections: 2 });
    const delivery = createCenterPort(center);
    const requests = steps.map(async ({ deed, giveUpAfterMs, timeoutMs, pauseMs }) => {
      const id = ++lastId;
      deeds.set(id, deed);
      await delay(pauseMs);
      const limits = [AbortSignal.timeout(timeoutMs)];
      if (giveUpAfterMs !== undefined) limits.push(AbortSignal.timeout(giveUpAfterMs));
      const body = new TextEncoder().encode(JSON.stringify({ id }));
      return delivery.addClients(body, AbortSignal.any(limits)).then(
        ([result]) => ({ id, outcome: result?.uuid }),
        (error: unknown) => ({ id, outcome: error }),
      );
    });
    const ends = await Promise.all(requests);
    await center.close();
    await delay(5);
    for (const { id, outcome } of ends) {
      const times = seen.filter((one) => one === id).length;
      if (outcome instanceof NotSentError) {
        counts.notSent += 1;
        expect(times).toBe(0);
      } else if (outcome instanceof OutcomeUnknownError) {
        counts.unknown += 1;
        expect(times).toBeLessThanOrEqual(1);
      } else {
        counts.answered += 1;
        expect(outcome).toBe(String(id));
        expect(times).toBe(1);
      }
    }
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), run), {
    numRuns: 60,
  });
  // The property would hold as well if nothing of one kind ever happened.
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(10);
});
