import { UsageError } from '../../core/errors.js';
import { parseTimeOfDay } from '../../core/time-of-day.js';
import { cronSchedule } from './cron.js';
import { scheduleNeeds } from './needs.js';
import { scheduleNotes } from './notes.js';
import type { NotedSchedule, Schedule, ScheduleRequest } from './schedule.js';
import { systemdSchedule } from './systemd.js';

/** What can start a watcher. */
export const SCHEDULERS = {
  systemd: systemdSchedule,
  cron: cronSchedule,
} as const satisfies Record<string, (request: ScheduleRequest) => Schedule>;

export type Scheduler = keyof typeof SCHEDULERS;

export interface PrintRequest extends Pick<ScheduleRequest, 'command' | 'user'> {
  readonly scheduler: Scheduler;
  readonly pickups: string;
  /** Such as `21:30 Europe/Moscow`. @default all the time */
  readonly at?: string | undefined;
}

/** @throws ConfigurationError where a file is wrong, UsageError where the time is none */
export async function scheduleOf(request: PrintRequest): Promise<NotedSchedule> {
  const { scheduler, pickups, at, command, user } = request;
  const time = at === undefined ? undefined : parseTimeOfDay(at);
  if (time && 'mistake' in time) throw new UsageError(`--at: ${time.mistake}`);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const whole = { ...(await scheduleNeeds(pickups)), command, user, zone, at: time };
  return { ...SCHEDULERS[scheduler](whole), notes: scheduleNotes(whole, Date.now()) };
}
