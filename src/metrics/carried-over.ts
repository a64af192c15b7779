import { METRICS } from './table.js';

/** A line of the text format that holds a value: its name with labels, and the value. */
const SAMPLE = /^([a-z_]+)(\{.*\})? (\S+)$/;
/** What the lines of a histogram are called beside its name. */
const PARTS = /_(?:bucket|sum|count)$/;

type Carried = 'adds' | 'lasts' | 'no';

/** How the value of a process before goes on: counters add up, some gauges stay until there is a new value. */
function howCarried(name: string): Carried {
  const [known, traits] =
    Object.entries(METRICS).find(([one]) => one === name || one === name.replace(PARTS, '')) ?? [];
  if (known === undefined || !traits) return 'no';
  if (traits.type !== 'gauge') return 'adds';
  return 'lasts' in traits ? 'lasts' : 'no';
}

/**
 * The metrics of this process, with those that a process before left in the same file: without them, counters would
 * begin anew with each run, and the time of the last success would be gone after a run without one. Pure.
 */
export function carriedOver(text: string, before: string): string {
  const earlier = samplesIn(before);
  const seen = new Set<string>();
  const lines = text.split('\n').map((line) => {
    const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
    const key = name + labels;
    const old = earlier.get(key);
    seen.add(key);
    if (old === undefined || howCarried(name) !== 'adds') return line;
    return `${key} ${Number(value) + old.value}`;
  });
  const left = [...earlier].filter(
    ([key, { name }]) => !seen.has(key) && howCarried(name) !== 'no',
  );
  return lines.flatMap((line) => [line, ...linesBelow(line, left)]).join('\n');
}

type Samples = ReadonlyMap<string, { readonly name: string; readonly value: number }>;

function samplesIn(text: string): Samples {
  const samples = text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
    if (name === undefined || !Number.isFinite(Number(value))) return [];
    return [[name + labels, { name, value: Number(value) }] as const];
  });
  return new Map(samples);
}

/** The earlier lines of a metric follow the line that names its type: all lines of one stand together. */
function linesBelow(
  line: string,
  left: readonly (readonly [string, { readonly name: string; readonly value: number }])[],
): string[] {
  const [, metric] = /^# TYPE (\S+) /.exec(line) ?? [];
  if (metric === undefined) return [];
  return left
    .filter(([, { name }]) => name === metric || name.replace(PARTS, '') === metric)
    .map(([key, { value }]) => `${key} ${value}`);
}
