import {
  ContactCenterError,
  EXIT,
  NotAuthorizedError,
  RefusedError,
  TryLaterError,
  isServerError,
} from '../../../core/errors.js';
import { failed, ok, type Diagnosis, warning } from '../finding.js';
import { type Check, known } from '../check.js';

/** Whoever answers is a contact center. */
export const path: Check = {
  needs: ['connection'],
  run: ({ probe, installation }) => {
    const { error, event } = known(probe);
    const status = `HTTP ${known(event).status}`;
    if (!(error instanceof ContactCenterError)) return ok(`a contact center answers (${status})`);
    const { seen } = error;
    if (seen !== undefined) {
      const where = seen.location === null ? '' : ` and points to ${seen.location}`;
      return failed(
        `${seen.address ?? known(installation).baseUrl} does not answer as a contact center does (${status}, ${seen.words}${where}). Check the path in baseUrl: /api/v1/ begins behind it.`,
        EXIT.usage,
      );
    }
    if (error instanceof TryLaterError)
      return failed(`the contact center is busy (${status}). Try again later.`, EXIT.stopped);
    if (error instanceof RefusedError && !isServerError(error.status))
      return ok(`a contact center answers (${status})`);
    return failed(`${error.message}. Ask the contact center's administrators.`, EXIT.stopped);
  },
};

/** The contact center takes the credentials. */
export const credentials: Check = {
  needs: ['path'],
  run: ({ probe, installation }) => {
    const { error } = known(probe);
    const names = Object.keys(known(installation).headers);
    const sent = names.length === 0 ? 'no header is sent' : `sent in ${names.join(', ')}`;
    if (error instanceof NotAuthorizedError)
      return failed(
        `not taken (HTTP ${error.status ?? '?'}; ${sent}). Check "headers" in the installation and the variables of the environment.`,
        EXIT.stopped,
      );
    if (error instanceof RefusedError)
      return warning(`${sent}; but this account may not list campaigns: ${error.message}`);
    return ok(names.length === 0 ? 'none are asked for' : `taken (${sent})`);
  },
};

/** A header `Date` has whole seconds. */
const HALF_SECOND_MS = 500;
const NOTABLE_MS = 5_000;
const WRONG_MS = 60_000;

/** The clocks of this machine and of the contact center agree: callbacks and permitted hours go by them. */
export const clock: Check = {
  needs: ['connection'],
  run: ({ probe }) => {
    const { event, at } = known(probe);
    const { date, milliseconds } = known(event);
    const theirs = Date.parse(date ?? '');
    if (Number.isNaN(theirs))
      return warning('not compared: the answer does not say what time it is');
    return compared(theirs + HALF_SECOND_MS - (at - milliseconds / 2));
  },
};

function compared(ahead: number): Diagnosis {
  const far = Math.abs(ahead);
  if (far <= NOTABLE_MS) return ok('agrees with that of the contact center');
  const which = ahead > 0 ? 'behind' : 'ahead of';
  const text = `the clock of this machine is ${Math.round(far / 1000)} s ${which} that of the contact center`;
  return far <= WRONG_MS
    ? warning(text)
    : failed(`${text}. Set it: callbacks and permitted hours go by it.`, EXIT.stopped);
}
