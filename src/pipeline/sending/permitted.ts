import { StopRun } from '../../core/errors.js';
import type { Clock } from '../../core/time.js';
import { type PermittedHours, hoursText, localText, nextPermitted } from '../../core/hours.js';

export interface PermittedPorts {
  readonly clock: Clock;
  /** When requests may leave. @default always */
  readonly hours?: PermittedHours | undefined;
  /** Whether a request that comes outside of them ends the run. @default false: it waits */
  readonly endsOutside?: boolean | undefined;
  /** Aborted when no new request may leave. */
  readonly signal: AbortSignal;
  /** Called once each time the hours are over; for the person. */
  readonly onPause?: ((message: string) => void) | undefined;
}

/** A machine that slept, or whose clock was set, is noticed after so long, in milliseconds. */
const LOOK_AGAIN_MS = 60_000;

/**
 * Makes the gate that all requests pass. It resolves when a request may leave, with whether that had to be waited for,
 * and rejects with the signal's reason when it is aborted before, and with StopRun where it is not to wait.
 */
export function createPermittedGate({
  clock,
  hours,
  endsOutside = false,
  signal,
  onPause,
}: PermittedPorts): () => Promise<boolean> {
  let announced: number | undefined;
  const waitFor = (opens: number, permitted: PermittedHours): Promise<void> => {
    if (announced !== opens) onPause?.(pauseText(permitted, opens));
    announced = opens;
    return clock.sleep(Math.min(opens - clock.now(), LOOK_AGAIN_MS), signal);
  };
  return async () => {
    if (!hours) return false;
    let hasWaited = false;
    for (;;) {
      const opens = nextPermitted(hours, clock.now());
      if (opens <= clock.now()) return hasWaited;
      if (endsOutside) throw new StopRun(endText(hours, opens));
      hasWaited = true;
      await waitFor(opens, hours);
    }
  };
}

function pauseText(hours: PermittedHours, opens: number): string {
  return `Requests are permitted ${hoursText(hours)}; the run pauses until ${localText(hours, opens)} there, and goes on by itself.`;
}

function endText(hours: PermittedHours, opens: number): string {
  return `Requests are permitted ${hoursText(hours)}, and the run was not to wait. The same command goes on from ${localText(hours, opens)} there.`;
}
