import type { Installation } from '../../installation/installation.js';
import type { Corrections } from '../../core/table.js';
import type { Content } from '../repeats/content.js';
import type { Inputs } from './inputs.js';
import type { SeenInputs } from './seen-inputs.js';
import type { MappingFacts, Preparation } from '../../prepare/plan.js';
import type { ImportRequest } from '../requests.js';

/** What an import works with, once everything that a person could have got wrong has been checked. */
export interface ImportSetup {
  readonly request: ImportRequest;
  readonly inputs: Inputs;
  readonly content: Content;
  /** The inputs as they were before anything was read of them. */
  readonly seen: SeenInputs;
  /** Cells in place of those of the files; absent where there are none. */
  readonly corrections?: Corrections | undefined;
  readonly installation: Installation;
  readonly mapping: MappingFacts;
  readonly preparation: Preparation;
}
