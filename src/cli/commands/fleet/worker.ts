import { defineCommand } from '../../command.js';
import { duration } from '../../../options/option.js';
import { DEFAULT_LEDGER } from '../../../options/places.js';
import { ledgerNamed, sharedLedgerOptions } from '../../options/ledger-option.js';
import { numberOption, textOption } from '../../options/options.js';
import { note } from '../../output/output.js';

const options = {
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
  describe: 'Take part in runs that machines share ("import --shared").',
  epilogue:
    'Takes pieces of any run in the ledger, until it is stopped. The first Ctrl-C or SIGTERM ends gently: requests in flight are finished, and pieces are given back. The second one ends at once: others take the pieces when their leases have lapsed, after 30 s.\n\nSecrets come from the environment of the worker. Without them, or in another version, it says so and takes nothing.',
  options,
  examples: [
    ['$0 worker --ledger postgres://me@db.example/calls', 'Take part until stopped.'],
    ['$0 worker --ledger postgres://me@db.example/calls --installations north', 'For one center.'],
  ],
  build: (parser) => parser.options(options),
  async run({ maxPieces, installations, giveUpAfter, ...args }, { stderr, env, signal }) {
    const { executeWorker } = await import('../../../run/shared.js');
    return executeWorker({
      ledger: (await ledgerNamed(args)) ?? DEFAULT_LEDGER,
      ...{ maxPieces, giveUpAfterMs: giveUpAfter, env, signal },
      installations: installations?.split(',').map((name) => name.trim()),
      onNote: (message) => note(stderr, `${new Date().toISOString()} ${message}`),
    });
  },
});
