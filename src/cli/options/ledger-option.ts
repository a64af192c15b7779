import type { Options } from 'yargs';
import { RUN_OPTIONS } from '../../options/run-options.js';
import { textOption } from './options.js';

export const ledgerInstallation = {
  installation: {
    ...textOption('Installation file: its ledger is used. Default: none.'),
    alias: 'i',
  },
} as const satisfies Record<string, Options>;

/** Options by which commands on the runs of a ledger find it. */
export const ledgerOptions = {
  ledger: textOption(RUN_OPTIONS.ledger.help.resume),
  ...ledgerInstallation,
} as const satisfies Record<string, Options>;

/** The same for commands that need a ledger which several machines reach. */
export const sharedLedgerOptions = {
  ledger: textOption(
    "Ledger that the machines share, such as postgres://me@db.example/calls. Default: the installation's.",
  ),
  ...ledgerInstallation,
} as const;

/** The ledger that the person means; `undefined`: the usual one. @throws ConfigurationError */
export async function ledgerNamed(args: {
  readonly ledger?: string | undefined;
  readonly installation?: string | undefined;
}): Promise<string | undefined> {
  if (args.ledger !== undefined || args.installation === undefined) return args.ledger;
  const { loadInstallation } = await import('../../installation/load.js');
  return (await loadInstallation(args.installation)).ledger;
}
