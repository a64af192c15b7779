import type { Options } from 'yargs';
import { wholeNumber } from '../../options/option.js';

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
