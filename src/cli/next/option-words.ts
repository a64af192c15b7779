import {
  type OptionKind,
  type OptionTable,
  type OptionValues,
  type RunOption,
  type Use,
  optionsWhere,
} from '../../app/options/option.js';

/** How a value is written after its flag; `null`: the flag stands alone, or is left out. */
const WRITTEN = {
  text: (value) => value,
  flag: () => null,
  count: String,
  amount: String,
  'count or auto': String,
  duration: (milliseconds) => `${Math.ceil(milliseconds / 1000)}s`,
  'time of day': (value) => value,
  failures: (limit) => ('percent' in limit ? `${limit.percent}%` : String(limit.count)),
  mode: (value) => value,
  names: (names) => names.join(','),
  'row range': ({ first, last }) => `${first}-${last}`,
  sheet: String,
} as const satisfies { [K in OptionKind]: (value: OptionValues[K]) => string | null };

/** The options of a request as words of a command, without those that are not to be repeated. */
export function optionWords(
  table: OptionTable,
  use: Use,
  request: object,
  without: ReadonlySet<string> = new Set(),
): string[] {
  const values = new Map<string, unknown>(Object.entries(request));
  return optionsWhere(table, ({ help }) => help[use] !== undefined).flatMap(([name, option]) => {
    const value = values.get(name);
    return value === undefined || without.has(name) ? [] : wordsOf(option, value);
  });
}

function wordsOf({ flag, kind }: RunOption, value: unknown): string[] {
  if (kind === 'flag') return [value === true ? `--${flag}` : `--no-${flag}`];
  // The value is of the option's kind: the table says so, which no check can repeat.
  const write = WRITTEN[kind] as (value: unknown) => string | null;
  const text = write(value);
  return text === null ? [] : [`--${flag}`, text];
}
