import { lastTimeOfDay, nextTimeOfDay, timeOfDayText } from '../../core/time-of-day.js';
import { EVERY_DAY } from '../../core/hours.js';
import type { ScheduleRequest } from './schedule.js';

/** What is overdue for longer when it is looked at next should have been expected sooner. */
const TOO_LATE_MS = 12 * 3_600_000;
const IN_HOME = /^\/(?:home|root)\//;

/** What a schedule will do that whoever installs it may not expect. Pure. */
export function scheduleNotes(request: ScheduleRequest, now: number): string[] {
  return [...latenessNotes(request, now), ...homeNotes(request)];
}

/** Once a day, a file is known to be late when it is looked for, and not before. */
function latenessNotes({ at, expected }: ScheduleRequest, now: number): string[] {
  if (at === undefined) return [];
  const look = nextTimeOfDay(at, EVERY_DAY, now);
  return expected
    .filter(({ by }) => look - lastTimeOfDay(by, EVERY_DAY, look) > TOO_LATE_MS)
    .map(
      ({ name, by }) =>
        `${name}: a file that has not come by ${timeOfDayText(by)} is noticed at ${timeOfDayText(at)} of the next day: nothing runs before. Let "expect.by" be ${timeOfDayText(at)}, or a little sooner.`,
    );
}

function homeNotes({ command, file, user }: ScheduleRequest): string[] {
  return [...command, file]
    .filter((path) => IN_HOME.test(path))
    .map(
      (path) =>
        `${path} lies in a home, into which ${user} may not be able to look. Move it, for instance below /opt or /srv, or name another --user.`,
    );
}
