import type { Send } from './outbox.js';
import { boundedFetch, HTTP_LIMITS, HttpLimitError } from '../bounded-fetch.js';
import type { WebhookTarget } from '../pickup/schema.js';
import { type Notice, subjectOf, textOf } from './notice.js';
import { createHmac } from 'node:crypto';

/** Sends a notice the way its target takes it. */
export const sendNotice: Send = async (target, notice, signal) => {
  if (target.to === 'webhook') return postNotice(target, notice, Date.now(), signal);
  const { mailNotice } = await import('./email.js');
  return mailNotice(target, notice);
};

/**
 * Posts a notice: JSON in the target's form, with `Cardline-Signature` where there is a secret, and `Cardline-Id`, which
 * is the same when it is sent again.
 * @throws Error in words without the address, when it is not taken
 */
async function postNotice(
  target: WebhookTarget,
  notice: Notice,
  now: number,
  signal: AbortSignal,
): Promise<void> {
  const body = bodyOf(notice, target);
  const headers = {
    'content-type': 'application/json',
    'accept-encoding': 'identity',
    'cardline-id': notice.id,
    ...(target.secret === undefined
      ? {}
      : { 'cardline-signature': signature(body, target.secret, now) }),
  };
  const options = { method: 'POST', headers, body, redirect: 'error', signal } as const;
  const asked = boundedFetch(target.url, options, HTTP_LIMITS.webhook);
  const answer = await asked.catch((error: unknown) => {
    throw new Error(reasonOf(error));
  });
  try {
    // The connection is free for the next one only when the answer has been read.
    for await (const _ of answer.pieces());
  } catch {
    // It was taken or not: the status has told. The connection is given up instead.
  } finally {
    answer.close();
  }
  const { ok, status } = answer.response;
  if (!ok) throw new Error(`HTTP ${status}`);
}

/** In the words of the system: the message of `fetch` says only that it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it failed';
  if (error instanceof HttpLimitError) return error.message;
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return code === '' ? 'no answer' : code;
}

/**
 * The signature of a webhook: `t=<seconds>,v1=<hex>`, HMAC-SHA256 over `<seconds>.<body>`. The receiver computes the
 * same, compares without early exit, and refuses what is older than some minutes.
 */
function signature(body: string, secret: string, now: number): string {
  const seconds = Math.floor(now / 1000);
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${mac}`;
}

type Body = (notice: Notice, target: WebhookTarget) => object;

/** What is posted, by the form that a receiver takes. */
const BODIES = {
  notice: (notice) => notice,
  slack: (notice) => ({ text: `*${subjectOf(notice)}*\n${textOf(notice)}` }),
  teams: (notice) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            { type: 'TextBlock', weight: 'Bolder', wrap: true, text: subjectOf(notice) },
            { type: 'TextBlock', wrap: true, text: textOf(notice) },
          ],
        },
      },
    ],
  }),
  telegram: (notice, { chat }) => ({
    chat_id: chat,
    text: `${subjectOf(notice)}\n${textOf(notice)}`,
  }),
} satisfies Record<WebhookTarget['body'], Body>;

/** The body of a request, as text: it is signed as it is sent. */
const bodyOf = (notice: Notice, target: WebhookTarget): string =>
  JSON.stringify((BODIES[target.body] as Body)(notice, target));
