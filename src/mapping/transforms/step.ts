import type { Cell } from '../../core/table.js';

/** Why a value could not be used; without the value. One object for every row, made when the mapping is compiled. */
export class InvalidValue {
  constructor(
    readonly code: string,
    readonly message: string,
    /** Whether a default may take the place of the value: it is unknown, not wrong. */
    readonly unmapped = false,
  ) {}
}

/** A value on its way from the cell to the card; `null` when there is none. */
export type Value = string | null | InvalidValue;

/** Takes what is left out of a value that is kept, such as the extension of a phone. */
export interface Remarks {
  remark(column: string | null, what: InvalidValue, value: string | null): void;
}

/** One step of that way. It sees the whole row, since a template may name other columns. */
export type Step = (value: Value, cells: readonly Cell[], remarks: Remarks) => Value;

/** A step that changes text and lets everything else pass. An empty result means that there is no value. */
export function onText(
  change: (text: string, cells: readonly Cell[], remarks: Remarks) => Value,
): Step {
  return (value, cells, remarks) => {
    if (typeof value !== 'string') return value;
    const changed = change(value, cells, remarks);
    return changed === '' ? null : changed;
  };
}

/** Several steps as one. */
export function inOrder(steps: readonly Step[]): Step | null {
  const [first, second] = steps;
  if (first === undefined) return null;
  if (second === undefined) return first;
  if (steps.length === 2)
    return (value, cells, remarks) => second(first(value, cells, remarks), cells, remarks);
  return (value, cells, remarks) => {
    for (const step of steps) value = step(value, cells, remarks);
    return value;
  };
}
