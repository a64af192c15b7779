import { z } from 'zod';
import { columnName, scalar, someText } from '../../config/scalar.js';

const OPERATORS = ['in', 'notIn', 'equals', 'notEquals', 'matches', 'empty'] as const;
const GROUPS = ['all', 'any', 'not'] as const;

/** A condition on a row. Cells are compared without white space at their ends; every operator given must hold. */
export interface Where {
  readonly column?: string | undefined;
  readonly in?: readonly (string | number | boolean)[] | undefined;
  readonly notIn?: readonly (string | number | boolean)[] | undefined;
  readonly equals?: string | number | boolean | undefined;
  readonly notEquals?: string | number | boolean | undefined;
  readonly matches?: string | undefined;
  readonly empty?: boolean | undefined;
  readonly all?: readonly Where[] | undefined;
  readonly any?: readonly Where[] | undefined;
  readonly not?: Where | undefined;
}

export const where: z.ZodType<Where> = z
  .strictObject({
    column: columnName.optional(),
    in: z.array(scalar).min(1).optional().describe('The cell is one of these.'),
    notIn: z
      .array(scalar)
      .min(1)
      .optional()
      .describe('The cell is none of these; an empty cell is none.'),
    equals: scalar.optional().describe('The cell is this.'),
    notEquals: scalar.optional().describe('The cell is not this; an empty cell is not.'),
    matches: someText
      .optional()
      .describe(
        'Regular expression in RE2 syntax that is found in the cell; ^ and $ mark its ends.',
      ),
    empty: z.boolean().optional().describe('true: the cell is empty; false: it is not.'),
    get all() {
      return z.array(where).min(1).optional().describe('Every one of these conditions holds.');
    },
    get any() {
      return z.array(where).min(1).optional().describe('At least one of these conditions holds.');
    },
    get not() {
      return where.optional().describe('This condition does not hold.');
    },
  })
  .check((context) => {
    for (const message of whereMistakes(context.value)) {
      context.issues.push({ code: 'custom', message, input: context.value });
    }
  })
  .meta({ id: 'where' });

function whereMistakes(written: Where): string[] {
  const operators = OPERATORS.filter((key) => written[key] !== undefined);
  const groups = GROUPS.filter((key) => written[key] !== undefined);
  if (groups.length > 0) {
    return groups.length > 1 || operators.length > 0 || written.column !== undefined
      ? [`"${groups[0] ?? ''}" stands alone. Put the other conditions into a list below "all".`]
      : [];
  }
  if (written.column === undefined) return ['it names no column. Add "column".'];
  return operators.length === 0
    ? [`it does not say what is asked of the column. Add one of: ${OPERATORS.join(', ')}.`]
    : [];
}
