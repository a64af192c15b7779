import { EXIT } from '../../core/errors.js';
import { timeOfDayText } from '../../core/time-of-day.js';
import { AGAIN_SECONDS, type Schedule, type ScheduleRequest, watchArguments } from './schedule.js';
import { userSteps } from './steps.js';

const UNITS = '/etc/systemd/system';
const SECRETS = '/etc/cardline';

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

/** A service that watches all the time, or one with a timer that starts it once a day. */
export function systemdSchedule(request: ScheduleRequest): Schedule {
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

const lines = (all: readonly string[]): string => `${all.join('\n')}\n`;

/** A percent sign begins a specifier. */
const escaped = (text: string): string => text.replaceAll('%', '%%');

const quoted = (text: string): string =>
  /^[\w@+=:,./-]+$/.test(text)
    ? text
    : `"${escaped(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** In a command, a dollar sign begins a variable. */
const commandWord = (word: string): string => quoted(word).replaceAll('$', '$$$$');
