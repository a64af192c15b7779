import { EXIT } from '../../core/errors.js';
import { AGAIN_SECONDS, type Schedule, type ScheduleRequest, watchArguments } from './schedule.js';
import { shellQuoted, userSteps } from './steps.js';

/** How often it is looked whether the watcher still runs, in minutes. */
const LOOK_MINUTES = 5;

/**
 * A file for `/etc/cron.d`. `flock` sees to it that there is one watcher at a time; cron itself knows no exit codes, so
 * the line goes on with what has stopped.
 */
export function cronSchedule(request: ScheduleRequest): Schedule {
  const { name, file, at, user, command, zone, credentials, variables } = request;
  const folder = file.slice(0, file.lastIndexOf('/')) || '/';
  const base = `${folder}/${name}`;
  const watch = [...command, ...watchArguments(request)].map(shellQuoted).join(' ');
  const again = `while :; do ${watch}; [ $? -eq ${EXIT.stopped} ] || break; sleep ${AGAIN_SECONDS}; done`;
  const line = [
    `cd ${shellQuoted(folder)} &&`,
    `flock -n ${shellQuoted(`${base}.lock`)} sh -c ${shellQuoted(at ? again : watch)}`,
    `>> ${shellQuoted(`${base}.log`)} 2>&1`,
  ].join(' ');
  const isElsewhere = at !== undefined && at.zone.name !== zone;
  return {
    files: [
      {
        path: `/etc/cron.d/cardline-${name.replaceAll('.', '-')}`,
        text: [
          ...(isElsewhere
            ? [
                `# Debian's cron does not know CRON_TZ: it takes the time for one of ${zone}. A timer of systemd knows zones.`,
                `CRON_TZ=${at.zone.name}`,
              ]
            : []),
          `${timeFields(at?.minute)} ${user} ${line.replaceAll('%', '\\%')}`,
          '',
        ].join('\n'),
      },
    ],
    steps: [
      ...userSteps(request),
      ...(variables.length === 0
        ? []
        : [`Put ${variables.join('=…, ')}=… above the line, in a file that root alone can read.`]),
      ...(credentials.length === 0
        ? []
        : ['cron passes no credentials: write ${file:/path} in place of ${credential:name}.']),
    ],
  };
}

const timeFields = (minute: number | undefined): string =>
  minute === undefined
    ? `*/${LOOK_MINUTES} * * * *`
    : `${minute % 60} ${Math.floor(minute / 60)} * * *`;
