import { NotAuthorizedError, RefusedError } from '../../core/errors.js';
import { isServerError } from '../../core/errors.js';

/**
 * Turns a lookup that is refused for one client into a result: asking again would bring the same, and the refusal says
 * nothing of other clients. Missing credentials and server errors concern all of them, and stay errors.
 */
export async function orRefusal<T>(lookup: Promise<T>): Promise<T | { readonly refusal: string }> {
  try {
    return await lookup;
  } catch (error) {
    const isFinal =
      error instanceof RefusedError &&
      !(error instanceof NotAuthorizedError) &&
      !isServerError(error.status);
    if (isFinal) return { refusal: error.errorMessage };
    throw error;
  }
}
