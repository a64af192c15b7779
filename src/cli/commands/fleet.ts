import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_LEDGER } from '../../options/places.js';
import { EXIT } from '../../core/errors.js';
import { defineCommand } from '../command.js';
import { ledgerNamed, sharedLedgerOptions } from '../options/run-flags.js';
import { flagOption, textOption, numberOption } from '../options/options.js';
import { print, printJson, note } from '../output/output.js';
import { duration } from '../../options/option.js';

const options = {
  ...sharedLedgerOptions,
  json: flagOption('Print JSON once, not tables. Default: no.'),
  release: textOption(
    'Take this run back from the machines that share it, so that other commands work on it: resume, undo. Refused while somebody works on it. Default: none.',
  ),
} as const;

/** How often a terminal shows it anew, in milliseconds. */
const LOOK_MS = 1000;
/** Begins a terminal's screen anew. */
const CLEAR = '\u001b[H\u001b[J';

export const fleetCommand = defineCommand({
  usage: 'fleet',
  describe: 'Show the machines that share runs: workers, runs and pieces.',
  epilogue: 'On a terminal, it is shown anew each second until Ctrl-C; else it is printed once.',
  options,
  examples: [['$0 fleet --ledger postgres://me@db.example/calls', 'Who works on what now.']],
  build: (parser) => parser.options(options),
  async run({ json, release, ...args }, { stdout, columns, signal }) {
    const ledger = (await ledgerNamed(args)) ?? DEFAULT_LEDGER;
    if (release !== undefined) {
      const { releaseRun } = await import('../../run/shared.js');
      await releaseRun(ledger, release);
      await print(stdout, `Run ${release} is not shared any more.\n`);
      return EXIT.ok;
    }
    const { openFleetView } = await import('../../run/shared.js');
    const { fleetText } = await import('../output/fleet-text.js');
    const view = await openFleetView(ledger);
    const isLive = columns !== undefined && !json;
    try {
      do {
        const state = await view.look();
        if (json) await printJson(stdout, `${JSON.stringify(state, null, 2)}\n`);
        else await print(stdout, `${isLive ? CLEAR : ''}${fleetText(state)}`);
        if (isLive) await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
      } while (isLive && !signal.aborted);
      return EXIT.ok;
    } finally {
      await view.close();
    }
  },
});

const workerOptions = {
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
  'give-up-after': {
    ...textOption(
      'End with 3 when the database is away for so long, such as 90s or 1h. Default: 15m.',
    ),
    coerce: duration('give-up-after'),
  },
} as const;

export const workerCommand = defineCommand({
  usage: 'worker',
  describe: 'Work on runs that machines share ("import --shared").',
  epilogue:
    'Takes pieces of any run in the ledger, until it is stopped. The first Ctrl-C or SIGTERM ends gently: requests in flight are finished, and pieces are given back. The second one ends at once: others take the pieces when their leases have lapsed, after 30 s.\n\nSecrets come from the environment of the worker. Without them, or in another version, it says so and takes nothing.',
  options: workerOptions,
  examples: [
    ['$0 worker --ledger postgres://me@db.example/calls', 'Take part until stopped.'],
    ['$0 worker --ledger postgres://me@db.example/calls --installations north', 'For one center.'],
  ],
  build: (parser) => parser.options(workerOptions),
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
