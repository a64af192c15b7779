import { EXIT, UsageError, ConfigurationError } from '../../core/errors.js';
import { defineCommand } from '../command.js';
import {
  numberOption,
  requiredInstallation,
  textOption,
  flagOption,
  installationDescription,
  ledgerNamed,
  sharedLedgerOptions,
} from '../options.js';
import { print, untilStopped, note, printEither } from '../output/output.js';
import { printable, whole } from '../../core/text.js';
import type { FleetState } from '../../run/shared.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_LEDGER } from '../../options/places.js';
import { duration } from '../../options/run-options.js';

const DEFAULT_PORT = 8080;
const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_DATABASE = 'sandbox.db';

export const sandboxCommand = defineCommand({
  usage: 'sandbox',
  describe: 'Run a contact center of your own, for trying and testing.',
  epilogue: 'It asks for no credentials. Stop it with Ctrl-C; what it holds is kept in its file.',
  options: {
    ...requiredInstallation,
    port: numberOption('port', 'TCP port; 0 takes a free one. Default: 8080.', 0, 65_535),
    host: textOption('Address to listen on. Default: 127.0.0.1, this machine alone.'),
    'allow-host': textOption(
      'Further host name under which it may be asked, such as sandbox:8080 between containers; without a port, with any. May be repeated. Default: its own addresses alone.',
      { array: true },
    ),
    db: textOption(
      'SQLite file of its clients and campaigns; :memory: forgets them at the end. Default: sandbox.db.',
    ),
  },
  places: { db: 'sandbox' },
  async run(args, { stdout, signal }) {
    const { loadInstallation } = await import('../../installation/load.js');
    const { startSandbox } = await import('../../sandbox/sandbox.js');
    const sandbox = await startSandbox({
      installation: await loadInstallation(args.installation),
      port: args.port ?? DEFAULT_PORT,
      host: args.host ?? DEFAULT_HOST,
      allowHosts: args.allowHost,
      database: args.db ?? DEFAULT_DATABASE,
    });
    try {
      await print(stdout, `Sandbox listening on ${sandbox.url}\n`);
      await untilStopped(signal);
    } finally {
      await sandbox.close();
    }
    return EXIT.ok;
  },
});

export const demoCommand = defineCommand({
  usage: 'demo',
  describe: 'Import a sample into an embedded sandbox, to see how it works.',
  epilogue: `The sandbox, the ledger and the report lie in a new folder below runs/. The sample has bad rows on purpose; the demo ends with 0 nevertheless.`,
  async run(_args, terminal) {
    const { runDemo } = await import('../embedded-sandbox.js');
    return runDemo(terminal);
  },
});

export const uiCommand = defineCommand({
  usage: 'ui [file]',
  describe: 'Import a spreadsheet on a page in the browser, without writing YAML.',
  epilogue:
    'The page is served on this machine, for its user alone: the address that is printed holds a token. Stop it with Ctrl-C.',
  options: {
    installation: textOption(installationDescription, { alias: 'i' }),
    mapping: textOption('Mapping file to begin with. Default: one is suggested for each file.', {
      alias: 'm',
    }),
    port: numberOption('port', 'TCP port; 0 takes a free one. Default: 0.', 0, 65_535),
    open: flagOption('Open the page in the browser; --no-open does not. Default: yes.'),
    'read-only': flagOption('Show everything and change nothing. Default: no.'),
    ledger: textOption(
      "File that keeps what is known of runs. Default: the installation's, else cardline.db.",
    ),
    sandbox: flagOption(
      'Use a contact center of your own, and offer the samples. Without --installation, the one of the demo. Default: no.',
    ),
    mask: flagOption('Hide personal data on the page. Default: no.'),
    pickups: textOption(
      'Pickup file whose sources the history shows. Default: pickup.yaml, where it is there.',
    ),
    host: textOption(
      'Refused: the page is for this machine alone. The message says how to use it from another one.',
    ),
  },
  places: { ledger: 'ledger' },
  positionals: { file: { type: 'string', describe: 'Spreadsheet to begin with.' } },
  async run(args, terminal) {
    if (args.host !== undefined) throw hostRefused(args.port);
    const { runPage } = await import('../ui/run-page.js');
    return runPage(args, terminal);
  },
});

const hostRefused = (port = 8090): UsageError =>
  new UsageError(
    '--host is not taken: the page listens on 127.0.0.1, this machine, alone. To use it from another machine, forward the ' +
      `same port from there and start it here without a browser: ssh -L ${port}:127.0.0.1:${port} USER@THIS-MACHINE cardline ui --port ${port} --no-open`,
  );

export const watchCommand = defineCommand({
  usage: 'watch <pickups>',
  describe: 'Import files automatically as they arrive in folders.',
  epilogue: `The pickup file names the folders, and the mapping and installation of each. A file is taken once it is whole, imported, and put away with its report. The first Ctrl-C ends gently: the next watcher goes on with what was begun.

With --once, ends with 0 when all went well, with 2 when a file needs a person, with 3 when an import has stopped.`,
  options: {
    once: flagOption('Take what is there, and end. Default: watch until stopped.'),
    check: flagOption(
      'Find every mistake of the file, its places, campaigns and roles, and take nothing. Default: no.',
    ),
    status: flagOption(
      'Show how each pickup stands: its last file, what waits, what is late. Default: no.',
    ),
    json: flagOption('With --status: print it as JSON. Default: no.'),
  },
  positionals: { pickups: { type: 'string', demandOption: true, describe: 'Pickup file.' } },
  async run({ pickups: file, once, check, status, json }, { stdout, stderr, env, signal }) {
    if (status) {
      const { watchStatus, statusText } = await import('../../nightly/watch/status.js');
      const found = await watchStatus(file, env);
      await printEither(stdout, json, found, `${printable(statusText(found))}\n`);
      return found.exitCode;
    }
    if (check) {
      const { checkPickups } = await import('../../nightly/watch/check-pickups.js');
      const { found, mistakes } = await checkPickups(file, env, signal);
      const isGood = found.every(({ mistake }) => mistake === null);
      for (const { pickup, place, mistake, note: more } of found) {
        const words = mistake ?? (more === null ? place : `${place} (${more})`);
        await print(stdout, `${mistake === null ? 'ok' : 'no'}  ${pickup}: ${words}\n`);
      }
      if (mistakes.length > 0) throw new ConfigurationError(mistakes);
      return isGood ? EXIT.ok : EXIT.stopped;
    }
    const { watchPickups } = await import('../../nightly/watch/watch-pickups.js');
    const onNote = (pickup: string | null, message: string): void => {
      note(stderr, `${new Date().toISOString()} ${pickup === null ? '' : `${pickup}: `}${message}`);
    };
    return watchPickups({ file, once: once ?? false, env, signal, onNote });
  },
});

/** How often a terminal shows it anew, in milliseconds. */
const LOOK_MS = 1000;
const CLEAR = '\u001b[H\u001b[J';

export const fleetCommand = defineCommand({
  usage: 'fleet',
  describe: 'Show the machines that share runs: workers, runs and pieces.',
  epilogue: 'On a terminal, it is shown anew each second until Ctrl-C; else it is printed once.',
  options: {
    ...sharedLedgerOptions,
    json: flagOption('Print JSON once, not tables. Default: no.'),
    release: textOption(
      'Take this run back from the machines that share it, so that other commands work on it: resume, undo. Refused while somebody works on it. Default: none.',
    ),
  },
  async run({ json, release, ...args }, { stdout, columns, signal }) {
    const ledger = (await ledgerNamed(args)) ?? DEFAULT_LEDGER;
    if (release !== undefined) {
      const { releaseRun } = await import('../../run/shared.js');
      await releaseRun(ledger, release);
      await print(stdout, `Run ${release} is not shared any more.\n`);
      return EXIT.ok;
    }
    const { openFleetView } = await import('../../run/shared.js');
    const view = await openFleetView(ledger);
    const isLive = columns !== undefined && !json;
    try {
      do {
        const state = await view.look();
        await printEither(stdout, json, state, `${isLive ? CLEAR : ''}${fleetText(state)}`);
        if (isLive) await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
      } while (isLive && !signal.aborted);
      return EXIT.ok;
    } finally {
      await view.close();
    }
  },
});

type FleetWorker = FleetState['workers'][number];
type FleetRun = FleetState['runs'][number];
type FleetPiece = FleetState['pieces'][number];

type Line = readonly string[];

function fleetText({ workers, runs, pieces }: FleetState): string {
  return [
    table(['worker', 'version', 'pieces', 'works for', 'seen'], workers.map(workerLine)),
    table(['run', 'pieces', 'ended', 'rows', 'done', 'state'], runs.map(runLine)),
    table(['piece', 'rows', 'done', 'worker', 'lease'], pieces.map(pieceLine)),
  ].join('\n');
}

const seconds = (count: number): string => `${Math.max(0, Math.round(count))} s`;

const workerLine = ({ pid, host, version, maxPieces, ...worker }: FleetWorker): Line => [
  `${pid} on ${host}`,
  version,
  `up to ${maxPieces}`,
  worker.only ?? worker.installations?.join(', ') ?? 'all',
  `${seconds(worker.secondsAgo)} ago`,
];

const runLine = ({ run, pieces, isWhole, ended, rows, outcomes, stopped }: FleetRun): Line => [
  run,
  isWhole ? whole(pieces) : `${whole(pieces)} so far`,
  whole(ended),
  whole(rows),
  whole(Object.values(outcomes).reduce((sum, count) => sum + count, 0)),
  stopped === null ? 'goes on' : STOPPED[stopped],
];

const STOPPED = {
  canary: 'stopped: the canary did not pass',
  failures: 'stopped: too many rows failed',
} as const satisfies Record<NonNullable<FleetRun['stopped']>, string>;

const pieceLine = ({ run, number, rows, ended, worker, secondsLeft }: FleetPiece): Line => [
  `${number} of ${run}`,
  whole(rows),
  whole(ended),
  worker,
  seconds(secondsLeft),
];

function table(head: Line, lines: readonly Line[]): string {
  if (lines.length === 0) return `No ${head[0] ?? ''}s.\n`;
  const all = [head, ...lines];
  const widths = head.map((_, at) => Math.max(...all.map((line) => line[at]?.length ?? 0)));
  const text = (line: Line): string =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return `${all.map(text).join('\n')}\n`;
}

export const workerCommand = defineCommand({
  usage: 'worker',
  describe: 'Work on runs that machines share ("import --shared").',
  epilogue:
    'Takes pieces of any run in the ledger, until it is stopped. The first Ctrl-C or SIGTERM ends gently: requests in flight are finished, and pieces are given back. The second one ends at once: others take the pieces when their leases have lapsed, after 30 s.\n\nSecrets come from the environment of the worker. Without them, or in another version, it says so and takes nothing.',
  options: {
    ...sharedLedgerOptions,
    'max-pieces': numberOption(
      'max-pieces',
      'Pieces that are worked on at a time. Default: 2.',
      1,
      64,
    ),
    installations: textOption(
      'Names of the installations whose runs are taken, such as north,south. Default: all.',
    ),
    'give-up-after': textOption(
      'End with 3 when the database is away for so long, such as 90s or 1h. Default: 15m.',
      { coerce: duration('give-up-after') },
    ),
  },
  async run({ maxPieces, installations, giveUpAfter, ...args }, { stderr, env, signal }) {
    const { executeWorker } = await import('../../run/shared.js');
    return executeWorker({
      ledger: (await ledgerNamed(args)) ?? DEFAULT_LEDGER,
      ...{ maxPieces, giveUpAfterMs: giveUpAfter, env, signal },
      installations: installations?.split(',').map((name) => name.trim()),
      onNote: (message) => note(stderr, `${new Date().toISOString()} ${message}`),
    });
  },
});
