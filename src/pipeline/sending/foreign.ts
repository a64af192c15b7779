import { type ContactCenterError, type ForeignAnswer, RefusedError } from '../../core/errors.js';
import { StopRun } from '../../core/errors.js';

const CHECK =
  'Check baseUrl in the installation, with its path, the proxy, and whether a login stands in between.';

/**
 * Why a run stops whose first answers are not a contact center's. `isReadOnly`: the request changes nothing.
 */
export function foreignStop(
  error: ContactCenterError,
  seen: ForeignAnswer,
  isReadOnly: boolean,
): StopRun {
  const left =
    isReadOnly || error instanceof RefusedError
      ? 'Nothing was sent; the same command goes on from here.'
      : 'What this request carried is looked up when the same command goes on from here.';
  return new StopRun(
    `This is no contact center, or not its address: ${seen.address ?? error.operation} answered with ${seenText(seen)}. ${CHECK} ${left}`,
    { cause: error },
  );
}

function seenText({ status, words, location }: ForeignAnswer): string {
  if (location === null) return `HTTP ${status} and ${words}`;
  return `HTTP ${status}, a redirect to ${location}`;
}
