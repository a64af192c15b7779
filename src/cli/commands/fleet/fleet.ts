import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_LEDGER } from '../../../options/places.js';
import { EXIT } from '../../../core/errors.js';
import { defineCommand } from '../../command.js';
import { ledgerNamed, sharedLedgerOptions } from '../../options/ledger-option.js';
import { flagOption, textOption } from '../../options/options.js';
import { print, printJson } from '../../output/output.js';

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
      const { releaseRun } = await import('../../../run/shared.js');
      await releaseRun(ledger, release);
      await print(stdout, `Run ${release} is not shared any more.\n`);
      return EXIT.ok;
    }
    const { openFleetView } = await import('../../../run/shared.js');
    const { fleetText } = await import('../../output/fleet-text.js');
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
