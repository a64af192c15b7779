import type { Options } from 'yargs';
import {
  wholeNumber,
  type FlagsOf,
  type OptionKind,
  type OptionsOf,
  type OptionTable,
  type RunOption,
  type Use,
  optionsWhere,
  readOption,
  RUN_OPTIONS,
  SOURCE_OPTIONS,
} from '../options/run-options.js';
import { defined } from '../core/text.js';
import { MODES } from '../core/outcome.js';
import type { CampaignChoice } from '../run/requests.js';
import { UsageError } from '../core/errors.js';
import { INPUT_FORMAT_WORDS } from '../source/source.js';

/** Options that several commands share. Each says in one sentence what it does, with its unit and default. */

type TextOption = Readonly<{ type: 'string'; requiresArg: true; describe: string }>;

/** An option that takes text; `more`: what else holds for it. */
export function textOption(describe: string): TextOption;
export function textOption<const M extends Options>(
  describe: string,
  more: M,
): TextOption & NoInfer<M>;
export function textOption(describe: string, more: Options = {}): TextOption & Options {
  return { ...more, type: 'string', requiresArg: true, describe };
}

/** An option that is given or not. */
export const flagOption = (describe: string) => ({ type: 'boolean', describe }) as const;

/** An option that takes a whole number. */
export const numberOption = (name: string, describe: string, min: number, max?: number) =>
  ({ requiresArg: true, describe, coerce: wholeNumber(name, min, max) }) as const;

/** Options that say what goes to the terminal. */
export const quietOption = {
  quiet: { ...flagOption('No progress and no notes on stderr. Default: no.'), alias: 'q' },
} as const;

export const mappingOption = {
  mapping: textOption('Mapping file: how columns become client cards.', {
    alias: 'm',
    demandOption: true,
  }),
} as const satisfies Record<string, Options>;

export const installationDescription =
  'Installation file: address and card configuration of the contact center.';

export const requiredInstallation = {
  installation: textOption(installationDescription, { alias: 'i', demandOption: true }),
} as const satisfies Record<string, Options>;

type MakeFlag = (help: string, option: RunOption) => Options;

const read: MakeFlag = (describe, option) => ({
  coerce: (value: unknown) => readOption(value, option),
  describe,
});
const readAlways: MakeFlag = (help, option) => ({ requiresArg: true, ...read(help, option) });

const text: MakeFlag = (help) => textOption(help);

const KINDS = {
  text,
  flag: flagOption,
  count: readAlways,
  amount: readAlways,
  'count or auto': readAlways,
  duration: read,
  'time of day': readAlways,
  failures: read,
  mode: (help) => textOption(help, { choices: MODES }),
  names: text,
  'row range': readAlways,
  sheet: text,
} as const satisfies Record<OptionKind, MakeFlag>;

/** The flags of a run, as a command has them. */
export const runFlags = <U extends Use>(use: U) => flagsIn(RUN_OPTIONS, use);

/** The flags that say how files are read, as a command has them. */
export const sourceFlags = <U extends Use>(use: U) => flagsIn(SOURCE_OPTIONS, use);

/** What these flags were given. */
export const givenOptions = <U extends Use>(use: U, args: Arguments) =>
  givenIn(RUN_OPTIONS, use, args);

export const givenSource = <U extends Use>(use: U, args: Arguments) =>
  givenIn(SOURCE_OPTIONS, use, args);

type Arguments = Readonly<Record<string, unknown>>;

function flagsIn<T extends OptionTable, U extends Use>(
  table: T,
  use: U,
): Readonly<Record<FlagsOf<T, U>, Options>> {
  const flags = optionsOfUse(table, use).map(([, option]) => {
    const make: MakeFlag = KINDS[option.kind];
    const { flag, alias, help } = option;
    return [flag, { ...make(help[use] ?? '', option), ...defined({ alias }) }] as const;
  });
  // Object.fromEntries forgets the names; no check can bring them back.
  return Object.fromEntries(flags) as Record<FlagsOf<T, U>, Options>;
}

function givenIn<T extends OptionTable, U extends Use>(
  table: T,
  use: U,
  args: Arguments,
): OptionsOf<T, U> {
  const values = optionsOfUse(table, use).map(([name, { flag, kind }]) => {
    const value = args[flag];
    return [name, kind === 'names' && typeof value === 'string' ? namesIn(value) : value] as const;
  });
  // The parser has read each value by its kind.
  return defined(Object.fromEntries(values)) as OptionsOf<T, U>;
}

const optionsOfUse = (table: OptionTable, use: Use) =>
  optionsWhere(table, ({ help }) => help[use] !== undefined);

const namesIn = (text: string): string[] => text.split(',').map((name) => name.trim());

/** A request on a run of a ledger: its installation is that of the run where none is given. */
export async function requestOnRun<O extends { readonly ledger?: string }>(
  run: string,
  installation: string | undefined,
  given: O,
) {
  const { placeOfRun } = await import('../history/history.js');
  const ledger = await ledgerNamed({ ledger: given.ledger, installation });
  const place = await placeOfRun(run, ledger);
  const request = {
    ...given,
    ...defined({ ledger }),
    installation: installation ?? place.installation,
  };
  return { sandbox: place.sandbox, request };
}

export const ledgerInstallation = {
  installation: textOption('Installation file: its ledger is used. Default: none.', { alias: 'i' }),
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
  const { loadInstallation } = await import('../installation/installation.js');
  return (await loadInstallation(args.installation)).ledger;
}

export const campaignOptions = {
  campaign: textOption(
    "Campaign that the clients are added to, by id or by name. Default: the mapping's campaign.",
  ),
  'max-call-count': numberOption(
    'max-call-count',
    "Most calls to one client. Default: the mapping's.",
    1,
  ),
} as const;

/** The campaign that the person asked for: digits are an id, anything else is a name. */
export function campaignChoice(
  campaign: string | undefined,
  maxCallCount: number | undefined,
): CampaignChoice | undefined {
  if (campaign === undefined && maxCallCount === undefined) return undefined;
  if (campaign === undefined) return defined({ maxCallCount });
  if (campaign.trim() === '') throw new UsageError('--campaign takes an id or a name.');
  const named = /^\d+$/.test(campaign) ? { id: campaignId(campaign) } : { name: campaign };
  return { ...named, ...defined({ maxCallCount }) };
}

function campaignId(digits: string): number {
  const id = Number(digits);
  if (id < 1 || !Number.isSafeInteger(id))
    throw new UsageError(
      `--campaign ${digits}: an id is a whole number from 1 that the contact center has given.`,
    );
  return id;
}

/** A file as a command is given it. */
export const inputFile = {
  type: 'string',
  demandOption: true,
  describe: `${INPUT_FORMAT_WORDS}; - is standard input.`,
} as const;

/** One or several of them. */
export const inputFiles = { ...inputFile, array: true } as const;
