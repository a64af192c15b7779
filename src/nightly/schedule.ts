import { UsageError, EXIT } from '../core/errors.js';
import {
  parseTimeOfDay,
  lastTimeOfDay,
  nextTimeOfDay,
  timeOfDayText,
  type TimeOfDay,
  EVERY_DAY,
} from '../core/time.js';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join, dirname, extname, resolve } from 'node:path';
import { makeFolder, refuseOtherPlace } from '../files/regular-file.js';
import { checkDocument } from '../config/document.js';
import { readDocument } from '../config/document.js';
import { defined, shellWord } from '../core/text.js';
import { isPostgresAddress } from '../core/ledger.js';
import { placeholdersIn } from '../files/placeholders.js';
import { loadInstallation } from '../installation/installation.js';
import { pickupFileSchema } from './pickup/schema.js';

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
const hardening = (): string =>
  readFileSync(new URL('./data/watch-hardening.conf', import.meta.url), 'utf8').trimEnd();

const SECRETS = '/etc/cardline';

const UNITS = '/etc/systemd/system';

const shellQuoted = (word: string): string => shellWord(word, 'linux');

const watchCommand = ({ command, file, at }: ScheduleRequest): string[] => [
  ...[...command, 'watch', file],
  ...(at === undefined ? [] : ['--once']),
];

/** Code 3 asks to be started again; after so many seconds it is. */
const AGAIN_SECONDS = 300;

const SCHEDULERS = { systemd: systemdSchedule, cron: cronSchedule } as const;

interface PrintRequest extends Pick<ScheduleRequest, 'command' | 'user'> {
  readonly scheduler: keyof typeof SCHEDULERS;
  readonly pickups: string;
  /** Such as `21:30 Europe/Moscow`. @default all the time */
  readonly at?: string | undefined;
}

/** @throws ConfigurationError where a file is wrong, UsageError where the time is none */
export async function scheduleOf(
  request: PrintRequest,
): Promise<Schedule & { readonly notes: readonly string[] }> {
  const { scheduler, pickups, at, command, user } = request;
  const time = at === undefined ? undefined : parseTimeOfDay(at);
  if (time && 'mistake' in time) throw new UsageError(`--at: ${time.mistake}`);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const whole = { ...(await scheduleNeeds(pickups)), command, user, zone, at: time };
  const notes = [...latenessNotes(whole, Date.now()), ...homeNotes(whole)];
  return { ...SCHEDULERS[scheduler](whole), notes };
}

/** What is overdue for longer when it is looked at next should have been expected sooner. */
const TOO_LATE_MS = 12 * 3_600_000;
const IN_HOME = /^\/(?:home|root)\//;

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
  const { name, file, at, user, zone, credentials, variables } = request;
  const folder = dirname(file);
  const base = `${folder}/${name}`;
  const watch = watchCommand(request).map(shellQuoted).join(' ');
  const again = `while :; do ${watch}; [ $? -eq ${EXIT.stopped} ] || break; sleep ${AGAIN_SECONDS}; done`;
  const line = [
    `cd ${shellQuoted(folder)} &&`,
    `flock -n ${shellQuoted(`${base}.lock`)} sh -c ${shellQuoted(at ? again : watch)}`,
    `>> ${shellQuoted(`${base}.log`)} 2>&1`,
  ].join(' ');
  const isElsewhere = at !== undefined && at.zone.name !== zone;
  // Without a time, it is looked every few minutes whether the watcher still runs.
  const time = at ? `${at.minute % 60} ${Math.floor(at.minute / 60)} * * *` : '*/5 * * * *';
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
          `${time} ${user} ${line.replaceAll('%', '\\%')}`,
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
  const folder = dirname(file);
  const inHome = [file, ...folders, ...command].some((path) => IN_HOME.test(path));
  return lines([
    '[Unit]',
    `Description=cardline: files by ${escaped(file)}`,
    'Wants=network-online.target',
    'After=network-online.target',
    // A contact center that is away all night is no reason to give up.
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    `Type=${at ? 'oneshot' : 'exec'}`,
    `ExecStart=${watchCommand(request).map(commandWord).join(' ')}`,
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
    hardening(),
    ...(at ? [] : ['', '[Install]', 'WantedBy=multi-user.target']),
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

/**
 * Writes the files to a folder, from which they are installed; returns their paths.
 * @param force whether a file with another text is replaced
 * @throws UsageError where one may not be; nothing is written then
 */
export async function writeSchedule(
  files: Schedule['files'],
  folder: string,
  force: boolean,
): Promise<string[]> {
  makeFolder(folder);
  const targets = files.map(({ path, text }) => ({ path: join(folder, basename(path)), text }));
  for (const { path, text } of targets) {
    refuseOtherPlace(path);
    if (force || !existsSync(path) || (await readFile(path, 'utf8')) === text) continue;
    throw new UsageError(
      `${path} exists already, with another text, and was left as it is. Give another folder with -o, or --force to replace it.`,
    );
  }
  for (const { path, text } of targets) await writeFile(path, text);
  return targets.map(({ path }) => path);
}

interface ScheduleRequest extends Awaited<ReturnType<typeof scheduleNeeds>> {
  /** Program and first arguments of the command line, absolute paths. */
  readonly command: readonly string[];
  /** When it takes what is there, every day. `undefined`: it watches all the time. */
  readonly at: TimeOfDay | undefined;
  /** The user that it runs as. */
  readonly user: string;
  /** Name of the time zone of this machine. */
  readonly zone: string;
}

interface Schedule {
  /** Absolute paths and texts. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** How it is installed, in lines for a person. */
  readonly steps: readonly string[];
}

/**
 * Finds out what a pickup file and its installations need. Secrets are not read: who prints a schedule may have none.
 * @throws ConfigurationError where the pickup file or an installation is wrong
 */
async function scheduleNeeds(path: string) {
  const file = resolve(path);
  const folder = dirname(file);
  const { pickups, ledger, metrics } = checkDocument(await readDocument(path), pickupFileSchema);
  const parts = pickups.map((pickup) => resolve(folder, pickup.import.installation));
  const installations = [...new Set(parts)];
  const written = await Promise.all(installations.map(foldersOf));
  const places = pickups
    .filter(({ from }) => !from.includes('://'))
    .flatMap(({ from, after }) => {
      const place = resolve(folder, from);
      return [place, resolve(place, after.good), resolve(place, after.bad)];
    });
  const ledgers = ledger === undefined || isPostgresAddress(ledger) ? [] : [ledger];
  const files = [...ledgers, ...Object.values(defined({ file: metrics?.file }))];
  // Their values: what stands in a comment is not asked for.
  const values = [file, ...installations].map(async (one) => (await readDocument(one)).value);
  const secrets = placeholdersIn(JSON.stringify(await Promise.all(values)));
  return {
    name: basename(file, extname(file)).replaceAll(/[^\w.-]/g, '-'),
    file,
    folders: outermost([
      folder,
      ...places,
      ...files.map((one) => dirname(resolve(folder, one))),
      ...written.flat(),
    ]),
    /** Names of credentials, and of variables of the environment, that the files ask for. */
    credentials: secrets
      .filter((name) => name.startsWith(CREDENTIAL))
      .map((name) => name.slice(CREDENTIAL.length)),
    variables: secrets.filter((name) => !name.includes(':')),
    expected: pickups.flatMap(({ name, expect }) => (expect ? [{ name, by: expect.by }] : [])),
  };
}

async function foldersOf(file: string): Promise<string[]> {
  const { ledger, suppress = [] } = await loadInstallation(file);
  const stores = suppress.flatMap((list) => ('store' in list ? [dirname(list.store)] : []));
  return [
    ...(ledger === undefined || isPostgresAddress(ledger) ? [] : [dirname(ledger)]),
    ...stores,
  ];
}

const CREDENTIAL = 'credential:';

const outermost = (folders: readonly string[]): string[] =>
  [...new Set(folders)]
    .filter((one) => !folders.some((other) => other !== one && one.startsWith(`${other}/`)))
    .toSorted();
