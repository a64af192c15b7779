import { UsageError, EXIT } from '../../core/errors.js';
import {
  parseTimeOfDay,
  lastTimeOfDay,
  nextTimeOfDay,
  timeOfDayText,
} from '../../core/time-of-day.js';
import { scheduleNeeds } from './needs.js';
import {
  type NotedSchedule,
  type Schedule,
  type ScheduleRequest,
  AGAIN_SECONDS,
  watchArguments,
} from './schedule.js';
import { EVERY_DAY } from '../../core/hours.js';

const timeFields = (minute: number | undefined): string =>
  minute === undefined
    ? `*/${LOOK_MINUTES} * * * *`
    : `${minute % 60} ${Math.floor(minute / 60)} * * *`;

/** How often it is looked whether the watcher still runs, in minutes. */
const LOOK_MINUTES = 5;

/** In a command, a dollar sign begins a variable. */
const commandWord = (word: string): string => quoted(word).replaceAll('$', '$$$$');

const quoted = (text: string): string =>
  /^[\w@+=:,./-]+$/.test(text)
    ? text
    : `"${escaped(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** A percent sign begins a specifier. */
const escaped = (text: string): string => text.replaceAll('%', '%%');

const lines = (all: readonly string[]): string => `${all.join('\n')}\n`;

const timerUnit = (unit: string, file: string, time: string): string =>
  lines([
    '[Unit]',
    `Description=cardline: files by ${escaped(file)}, every day`,
    '',
    '[Timer]',
    `OnCalendar=*-*-* ${time.replace(' ', ':00 ')}`,
    '# A machine that was off at that time makes up for it.',
    'Persistent=true',
    `Unit=${unit}.service`,
    '',
    '[Install]',
    'WantedBy=timers.target',
  ]);

/**
 * What the process may not do. `MemoryDenyWriteExecute` is not among it: the engine compiles while it runs. Of system
 * calls it has those of an ordinary service.
 */
const HARDENING = [
  'NoNewPrivileges=yes',
  'CapabilityBoundingSet=',
  'AmbientCapabilities=',
  'ProtectSystem=strict',
  'ProtectProc=invisible',
  'ProcSubset=pid',
  'PrivateTmp=yes',
  'PrivateDevices=yes',
  'PrivateUsers=yes',
  'PrivateMounts=yes',
  'DevicePolicy=closed',
  'ProtectHostname=yes',
  'ProtectClock=yes',
  'ProtectKernelTunables=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelLogs=yes',
  'ProtectControlGroups=yes',
  'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX',
  'RestrictNamespaces=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'LockPersonality=yes',
  'RemoveIPC=yes',
  'KeyringMode=private',
  'SystemCallArchitectures=native',
  'SystemCallFilter=@system-service',
  'SystemCallFilter=~@privileged @resources',
  'SystemCallErrorNumber=EPERM',
] as const;

const SECRETS = '/etc/cardline';

const UNITS = '/etc/systemd/system';

/** A word of a command line, quoted where a shell would see more in it. */
const shellQuoted = (word: string): string =>
  /^[\w@+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

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

/** What is overdue for longer when it is looked at next should have been expected sooner. */
const TOO_LATE_MS = 12 * 3_600_000;
const IN_HOME = /^\/(?:home|root)\//;

/** What a schedule will do that whoever installs it may not expect. Pure. */
function scheduleNotes(request: ScheduleRequest, now: number): string[] {
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

/**
 * A file for `/etc/cron.d`. `flock` sees to it that there is one watcher at a time; cron itself knows no exit codes, so
 * the line goes on with what has stopped.
 */
function cronSchedule(request: ScheduleRequest): Schedule {
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

/** A service that watches all the time, or one with a timer that starts it once a day. */
function systemdSchedule(request: ScheduleRequest): Schedule {
  const { name, at, credentials, variables } = request;
  const unit = `cardline-${name}`;
  const timer = at && [
    { path: `${UNITS}/${unit}.timer`, text: timerUnit(unit, request.file, timeOfDayText(at)) },
  ];
  const started = at === undefined ? `${unit}.service` : `${unit}.timer`;
  return {
    files: [{ path: `${UNITS}/${unit}.service`, text: serviceUnit(request) }, ...(timer ?? [])],
    steps: [
      ...userSteps(request),
      ...credentials.map(
        (one) =>
          `install -D -m 600 /dev/stdin ${SECRETS}/${one}   # type the secret, Enter, Ctrl-D`,
      ),
      ...(variables.length === 0
        ? []
        : [
            `install -D -m 600 /dev/stdin ${SECRETS}/${name}.env   # type ${variables.map((one) => `${one}=…`).join(', Enter, ')}, Enter, Ctrl-D`,
          ]),
      `systemctl daemon-reload && systemctl enable --now ${started}`,
      ...(at === undefined ? [] : [`systemctl start ${unit}.service   # to try it now`]),
      `journalctl -u ${unit}   # what it did`,
    ],
  };
}

function serviceUnit(request: ScheduleRequest): string {
  const { file, command, at, user, name, folders, credentials, variables } = request;
  const folder = file.slice(0, file.lastIndexOf('/')) || '/';
  const once = at !== undefined;
  const inHome = [file, ...folders, ...command].some((path) => /^\/(home|root)\//.test(path));
  return lines([
    '[Unit]',
    `Description=cardline: files by ${escaped(file)}`,
    'Wants=network-online.target',
    'After=network-online.target',
    // A contact center that is away all night is no reason to give up.
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    `Type=${once ? 'oneshot' : 'exec'}`,
    `ExecStart=${[...command, ...watchArguments(request)].map(commandWord).join(' ')}`,
    `User=${user}`,
    `WorkingDirectory=${escaped(folder)}`,
    'UMask=0077',
    ...credentials.map((one) => `LoadCredential=${one}:${SECRETS}/${one}`),
    ...(variables.length === 0 ? [] : [`EnvironmentFile=${SECRETS}/${name}.env`]),
    `# ${EXIT.stopped}: goes on later. ${EXIT.rows}, ${EXIT.usage}: a person has to look first.`,
    'Restart=on-failure',
    `RestartPreventExitStatus=${EXIT.rows} ${EXIT.usage}`,
    `RestartSec=${AGAIN_SECONDS}`,
    '# What is in flight ends, and the reports are written.',
    'TimeoutStopSec=300',
    '',
    `ReadWritePaths=${folders.map((one) => quoted(`-${one}`)).join(' ')}`,
    `ProtectHome=${inHome ? 'read-only' : 'yes'}`,
    ...HARDENING,
    ...(once ? [] : ['', '[Install]', 'WantedBy=multi-user.target']),
  ]);
}

/** Lines for a person that make the user, and have it own the folder of the pickup file, with the secrets in it. */
function userSteps({ user, file, folders }: ScheduleRequest): string[] {
  const own = folders.find((folder) => file.startsWith(`${folder}/`));
  const others = folders.filter((folder) => folder !== own).map(shellQuoted);
  const ownership =
    own === undefined || own === '/' ? '' : ` && chown -R ${user}: ${shellQuoted(own)}`;
  return [
    `{ id -u ${user} >/dev/null 2>&1 || useradd --system ${user}; }${ownership}`,
    ...(others.length === 0 ? [] : [`# It writes to ${others.join(' ')}, too: let it.`]),
  ];
}
