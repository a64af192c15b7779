import type { EnqueueError } from '../core/center.js';

/** The two bodies that an error may have (interface.md 7). */
export type RefusalBody =
  { readonly errorMessage: string } | { readonly errors: readonly EnqueueError[] };

/**
 * A request, or one client of it, is refused. Thrown, it undoes what the request has done so far; returned by a
 * handler, what the request did for other clients stays.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    readonly status: number,
    message: string,
    readonly body: RefusalBody = { errorMessage: message },
  ) {
    super(message);
  }
}

/** 400: the request itself is wrong. */
export function invalid(message: string): Refusal {
  return new Refusal(400, message);
}

/** 404: what the request is about does not exist. */
export function notFound(message: string): Refusal {
  return new Refusal(404, message);
}

/** 409: something else is in the way. */
export function conflict(message: string): Refusal {
  return new Refusal(409, message);
}

/** 413: more than the installation's limits allow. */
export function tooLarge(message: string): Refusal {
  return new Refusal(413, message);
}
