import type { Path } from '../../config/path.js';
import type { TransformOptions } from '../schema/transform.js';
import type { Step } from './step.js';

/** What a transform may ask for while it is compiled. */
export interface TransformContext {
  /** Notes a mistake of the mapping; compiling goes on, so that all are found. */
  mistake(path: Path, message: string, suggestion?: string): void;
  /** Position of a column in the rows; notes a mistake when the file lacks it. */
  column(name: string, path: Path): number;
  /** A lookup table by the file name in the mapping: its rows, header first. */
  table(file: string): readonly (readonly string[])[] | undefined;
}

/** How one transform is compiled: options as written, where they stand, and what stands beside them. */
export type Kind<Options> = (
  options: Options,
  path: Path,
  context: TransformContext,
  beside: { readonly part?: number | undefined },
) => Step;

/** Every transform there is. */
export type Kinds = { readonly [N in keyof TransformOptions]: Kind<TransformOptions[N]> };
