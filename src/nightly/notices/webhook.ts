import type { WebhookTarget } from '../pickup/schema.js';
import { bodyOf } from './bodies.js';
import type { Notice } from './notice.js';
import { signature } from './signature.js';

const TIMEOUT_MS = 20_000;

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
    'cardline-id': notice.id,
    ...(target.secret === undefined
      ? {}
      : { 'cardline-signature': signature(body, target.secret, now) }),
  };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const options = { method: 'POST', headers, body, redirect: 'error', signal: limit } as const;
  const response = await fetch(target.url, options).catch((error: unknown) => {
    throw new Error(reasonOf(error));
  });
  // The connection is free again only when the answer has been read.
  await response.arrayBuffer().catch(() => undefined);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
}

/** In the words of the system: the message of `fetch` says only that it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it failed';
  if (error.name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1000} s`;
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return code === '' ? 'no answer' : code;
}
