import { z } from 'zod';
import type { ImportRequest } from '../../app/requests.js';
import { type OptionTable, optionsWhere, type RunOption } from '../../app/options/option.js';
import { readOption } from '../../app/options/readers/read-option.js';
import { RUN_OPTIONS } from '../../app/options/run-options.js';
import { SOURCE_OPTIONS } from '../../app/options/source-options.js';
import { scalar, filled } from '../../config/scalar.js';
import { UsageError } from '../../core/errors.js';

/** What the watcher decides itself, or what makes sense in front of a terminal alone. */
const NOT_HERE: ReadonlySet<string> = new Set([
  'ledger',
  'out',
  'again',
  'limit',
  'rows',
  'corrections',
  // The pickup file has them for all its pickups.
  'metricsFile',
  'metricsListen',
  // A stopped import goes on by itself, past any time of day.
  'deadline',
]);

/** What an import of a pickup is to do. `options` and `source` are those of the command line, by the library's names. */
export interface PickupImport {
  readonly mapping: string;
  readonly installation: string;
  readonly campaign: string | undefined;
  readonly maxCallCount: number | undefined;
  readonly options: Partial<ImportRequest>;
  readonly source: NonNullable<ImportRequest['source']>;
}

const own = {
  mapping: filled.describe('Mapping file, relative to this file.'),
  installation: filled.describe('Installation file, relative to this file.'),
  campaign: scalar
    .transform(String)
    .optional()
    .describe("Campaign by its id or name. Default: the mapping's."),
  'max-call-count': z
    .int()
    .min(1)
    .optional()
    .describe("Most calls to one client. Default: the mapping's."),
};

/** The options of "cardline import", by the names of its flags. */
export const importOptions = z
  .strictObject({ ...own, ...shapeOf(RUN_OPTIONS), ...shapeOf(SOURCE_OPTIONS) })
  .transform((given): PickupImport => {
    const { mapping, installation, campaign, 'max-call-count': maxCallCount, ...flags } = given;
    return {
      ...{ mapping, installation, campaign, maxCallCount },
      options: byName(RUN_OPTIONS, flags),
      source: byName(SOURCE_OPTIONS, flags),
    };
  })
  .describe('How the files are imported: mapping, installation, and options of "cardline import".');

function optionsHere(table: OptionTable) {
  const ofImport = optionsWhere(table, ({ help }) => help.import !== undefined);
  return ofImport.filter(([name]) => !NOT_HERE.has(name));
}

function shapeOf(table: OptionTable): Record<string, z.ZodType> {
  return Object.fromEntries(
    optionsHere(table).map(([, option]) => [option.flag, valueOf(option)] as const),
  );
}

function valueOf(option: RunOption): z.ZodType {
  return z
    .union([scalar, z.array(z.string())])
    .transform((value, context) => {
      try {
        return readOption(value, option);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        context.addIssue({ code: 'custom', message: error.message.replace(/^--\S+/, 'it') });
        return z.NEVER;
      }
    })
    .optional()
    .describe(option.help.import ?? '');
}

function byName(
  table: OptionTable,
  flags: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const given = optionsHere(table).flatMap(([name, { flag }]) =>
    flags[flag] === undefined ? [] : [[name, flags[flag]] as const],
  );
  return Object.fromEntries(given);
}
