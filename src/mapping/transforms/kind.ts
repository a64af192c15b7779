import type { z } from 'zod';
import type { Path } from '../../config/path.js';
import type { ColumnEvidence } from '../../core/table.js';
import type { Table } from '../table.js';
import type { Step } from './step.js';
import type { Watch } from './watch.js';

/** What a transform may ask for while it is compiled. */
export interface TransformContext {
  /** Header of the column that the value comes from, or of several with commas; `null` for a constant. */
  readonly label: string | null;
  /** Where it is counted what the values of a column look like. */
  watch(column: string | null, kind: ColumnEvidence['kind']): Watch;
  /** Notes a mistake of the mapping; compiling goes on, so that all are found. */
  mistake(path: Path, message: string, suggestion?: string): void;
  /** Position of a column in the rows; notes a mistake when the file lacks it. */
  column(name: string, path: Path): number;
  /** A lookup table by the file name in the mapping. */
  table(file: string): Table | undefined;
}

/** Makes a step of the options as written, where they stand, and what stands beside them. */
export type Compile<Options> = (
  options: Options,
  path: Path,
  context: TransformContext,
  beside: { readonly part?: number | undefined },
) => Step;

/** A transform: what stands behind its name in `{ name: options }`, and what is made of it. */
export interface Transform<Schema extends z.ZodType> {
  readonly options: Schema;
  readonly compile: Compile<z.output<Schema>>;
}

/** A transform that may also be written as its bare name. */
export interface BareTransform<Schema extends z.ZodType> extends Transform<Schema> {
  /** What the bare name stands for; asked for where one stands, since a first look at a schema takes long. */
  readonly bare: () => z.output<Schema>;
}

/** Declares a transform that needs options. */
export function transform<Schema extends z.ZodType>(
  options: Schema,
  compile: Compile<z.output<Schema>>,
): Transform<Schema> {
  return { options, compile };
}

/** Declares a transform that needs no options: `bare` are those that its name alone stands for. */
export function bareTransform<Schema extends z.ZodType>(
  options: Schema,
  bare: () => z.output<Schema>,
  compile: Compile<z.output<Schema>>,
): BareTransform<Schema> {
  return { options, bare, compile };
}
