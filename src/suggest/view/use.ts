import { isRecord } from '../../mapping/edit/record.js';
import { nameOfStep, stepsOf } from '../../mapping/edit/adjust.js';
import { stepsOnCells } from '../../mapping/edit/map-value.js';
import type { ColumnTarget } from '../../mapping/edit/target.js';
import type { WrittenUse } from '../../mapping/edit/uses.js';
import { type TryContext, tryValue } from '../../mapping/try-value.js';
import type { Column } from '../choose/columns.js';
import type { MapPair, StepView, UseView, ValueCount } from './columns-view.js';
import type { GoodMessage } from './messages.js';

/** Values shown of a problem. */
const SHOWN = 5;

/** A value of the mapping, as a person looks at it beside one of its columns. */
export function useView(use: WrittenUse, column: Column, context: TryContext): UseView {
  const keys = isRecord(use.spec) ? use.spec : {};
  const { type, active: _active, disabled: _disabled, ...beside } = keys;
  const { pattern: _pattern, timeZone: _zone, ...value } = beside;
  const steps = stepsOf(keys).flatMap(stepView);
  const spec = isRecord(use.spec) ? value : use.spec;
  const tried = tryValue({ ...use, spec }, context);
  return {
    ...{ target: use.target, at: use.path, columns: use.columns, steps },
    phoneType: use.target === 'phones' && typeof type === 'string' ? type : null,
    map: mapPairs(keys, column),
    blank: Array.isArray(keys['blank']) ? keys['blank'].map(String) : [],
    invalid: keys['invalid'] === 'drop' ? 'drop' : 'reject',
    required: keys['required'] === true,
    default: textOf(keys['default']),
    good: tried && goodMessage(use.target, steps, context, tried),
    problems: (tried?.problems ?? []).map(({ code, message, count, values }) => ({
      ...{ code, message, count },
      values: mostFrequent(values, SHOWN),
    })),
  };
}

/** A value as it is written; `null` for what is no value. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : null;

function stepView(step: unknown): StepView[] {
  const name = nameOfStep(step);
  if (name === undefined) return [];
  return [{ name, options: isRecord(step) ? step[name] : undefined }];
}

/** Pairs of a map with how often their values occur, as the transforms before it leave them. */
function mapPairs(keys: Readonly<Record<string, unknown>>, { cells }: Column): MapPair[] {
  if (!isRecord(keys['map'])) return [];
  const change = stepsOnCells(stepsOf(keys));
  const counts = new Map<string, number>();
  for (const [text, count] of cells.values) {
    const value = (change(text) ?? text).trim();
    counts.set(value, (counts.get(value) ?? 0) + count);
  }
  return Object.entries(keys['map']).map(([from, to]) => ({
    ...{ from, to: textOf(to) ?? '', count: counts.get(from.trim()) ?? 0 },
  }));
}

/** The most frequent values first. */
export const mostFrequent = (values: ReadonlyMap<string, number>, max: number): ValueCount[] =>
  [...values]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count)
    .slice(0, max);

function goodMessage(
  target: ColumnTarget,
  steps: readonly StepView[],
  { installation: { card } }: TryContext,
  { good, filled }: { readonly good: number; readonly filled: number },
): GoodMessage {
  return { code: goodCode(target, steps, card), params: { good, filled } };
}

function goodCode(
  target: ColumnTarget,
  steps: readonly StepView[],
  card: TryContext['installation']['card'],
): GoodMessage['code'] {
  if (target === 'phones') return 'good_phones';
  if (target === 'emails') return 'good_emails';
  const name = target.replace(/^fields\./, '');
  if (Object.hasOwn(card, name) && card[name]?.type === 'Number') return 'good_numbers';
  return steps.some((step) => step.name === 'date') ? 'good_dates' : 'good_values';
}
