import type { Installation } from '../../installation/installation.js';
import { columnUses, type ColumnUse } from '../../mapping/columns/column-uses.js';
import type { LoadedMapping } from '../../mapping/load.js';
import type { ExampleValue, TemplateColumn } from '../../report/template/template-sheet.js';
import { dateFormat, NUMBER_FORMAT, TEXT_FORMAT } from './cell-format.js';
import { type Choices, choicesOf } from './choices.js';
import { examplesOf } from './examples.js';
import { noteOf } from './notes.js';
import { stepNamed } from './steps.js';
import { type Cells, type Trial, trialOf } from './trial.js';

export interface DescribedColumns {
  readonly columns: readonly TemplateColumn[];
  /** Whether the mapping takes the row of examples. */
  readonly isExampleTaken: boolean;
}

/** One column while it is described. */
interface Sketch {
  readonly header: string;
  readonly uses: readonly ColumnUse[];
  readonly choices: Choices;
  readonly format: string;
  readonly datePatterns: readonly string[];
  /** As the reader gives the cell. */
  readonly text: string;
}

/** A day that shows which of its numbers is the month. */
const DAY = '2001-12-31';
/** A time that lies ahead, as that of a callback must. */
const MOMENT = '2030-12-31T10:00:00';
const NUMBER = '1250';
const FRACTION = '1250.5';

/**
 * What a person has to know of every column that a mapping names. Whatever can be tried out is: examples, choices,
 * formats, and which columns are required.
 * @throws ConfigurationError when the mapping does not suit the card
 */
export function describeColumns(
  mapping: LoadedMapping,
  installation: Installation,
): DescribedColumns {
  const uses = columnUses(mapping);
  const trial = trialOf(mapping, installation, uses);
  const sketches: Sketch[] = [];
  let cells: Cells = {};
  for (const [header, ofColumn] of byColumn(uses)) {
    const sketch = sketchOf(header, ofColumn, { mapping, installation, trial, cells });
    cells = { ...cells, [header]: sketch.text };
    sketches.push(sketch);
  }
  const isExampleTaken = trial.isWhole(cells);
  const columns = sketches.map((sketch) => {
    const isNeeded = isExampleTaken && !trial.isWhole({ ...cells, [sketch.header]: '' });
    return columnOf(sketch, isNeeded, { trial, card: installation.card });
  });
  return { columns, isExampleTaken };
}

function byColumn(uses: readonly ColumnUse[]): Map<string, ColumnUse[]> {
  const found = new Map<string, ColumnUse[]>();
  for (const use of uses) found.set(use.column, [...(found.get(use.column) ?? []), use]);
  return found;
}

interface Around {
  readonly mapping: LoadedMapping;
  readonly installation: Installation;
  readonly trial: Trial;
  /** Examples of the columns before. */
  readonly cells: Cells;
}

function sketchOf(header: string, uses: readonly ColumnUse[], around: Around): Sketch {
  const { mapping, installation, trial, cells } = around;
  const takes = (text: string): boolean => trial.accepts(header, { ...cells, [header]: text });
  const choices = agreed(uses.map((use) => choicesOf(use, mapping, installation)));
  const values = choices.values.filter(takes);
  const datePatterns = values.length > 0 ? [] : patternsOf(uses);
  const dated = datePatterns.map(datedFormat).find((one) => one !== undefined && takes(one.text));
  const numbered = values.length === 0 && isNumeric(uses, installation.card);
  const number = [NUMBER, FRACTION].every(takes) ? NUMBER : undefined;
  const taken = new Set(Object.values(cells));
  const others = uses.flatMap((use) => examplesOf(use, taken));
  const found =
    dated ??
    (numbered && number !== undefined
      ? { format: NUMBER_FORMAT, text: number }
      : { format: TEXT_FORMAT, text: [...values, ...others].find(takes) ?? '' });
  return { header, uses, choices: { ...choices, values }, datePatterns, ...found };
}

/** A column may be used more than once: what all its uses take. */
function agreed(all: readonly (Choices | undefined)[]): Choices {
  const [first, ...others] = all.filter((one) => one !== undefined);
  if (!first) return { values: [], isOpen: false };
  const closed = others.filter(({ isOpen }) => !isOpen);
  const values = first.values.filter((value) => closed.every((one) => one.values.includes(value)));
  return { values, isOpen: [first, ...others].every(({ isOpen }) => isOpen) };
}

function patternsOf(uses: readonly ColumnUse[]): string[] {
  return uses.flatMap((use) => {
    const date = stepNamed(use, 'date');
    if (date !== undefined) return [date.from ?? 'yyyy-MM-dd'].flat();
    return [...(use.patterns ?? [])];
  });
}

/** The reader gives dates of a workbook in the forms of ISO. */
function datedFormat(
  pattern: string,
): { readonly format: string; readonly text: string } | undefined {
  const format = dateFormat(pattern);
  return format === undefined ? undefined : { format, text: format.includes('h') ? MOMENT : DAY };
}

/** Numbers of a card are numbers in the cells too, unless they identify: then each digit counts. */
function isNumeric(uses: readonly ColumnUse[], card: Installation['card']): boolean {
  return uses.every(({ target, field, value }) => {
    const own = field === undefined ? undefined : card[field];
    return target === 'field' && value !== undefined && own?.type === 'Number' && !own.sync;
  });
}

function columnOf(
  { header, uses, choices, format, datePatterns, text }: Sketch,
  isNeeded: boolean,
  { trial, card }: { readonly trial: Trial; readonly card: Installation['card'] },
): TemplateColumn {
  const groups = trial.lacking.filter((group) => group.includes(header));
  const isRequired = isNeeded || groups.some((group) => group.length === 1);
  const { values, isOpen } = choices;
  const oneOf = groups[0] ?? [];
  return {
    ...{ header, isRequired, format, isOpen, choices: values },
    note: noteOf({ uses, isRequired, oneOf, choices: values, isOpen, datePatterns }, card),
    example: exampleValue(text, format),
  };
}

/** The example as a cell holds it. */
function exampleValue(text: string, format: string): ExampleValue {
  if (format === TEXT_FORMAT) return text;
  return format === NUMBER_FORMAT ? Number(text) : new Date(text.includes('T') ? `${text}Z` : text);
}
