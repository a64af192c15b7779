import { boundedFetch, HTTP_LIMITS, HttpLimitError } from '../bounded-fetch.js';
import type { WebhookTarget } from '../pickup/schema.js';
import { bodyOf } from './bodies.js';
import type { Notice } from './notice.js';
import { signature } from './signature.js';

/**
 * Posts a notice: JSON in the target's form, with `Cardline-Signature` where there is a secret, and `Cardline-Id`, which
 * is the same when it is sent again.
 * @throws Error in words without the address, when it is not taken
 */
export async function postNotice(
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
