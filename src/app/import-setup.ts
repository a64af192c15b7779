import type { Installation } from '../core/installation.js';
import type { LoadedMapping } from '../mapping/load.js';
import type { Inputs } from './inputs.js';
import type { Preparation } from './prepare/plan.js';
import type { ImportRequest } from './requests.js';

/** What an import works with, once everything that a person could have got wrong has been checked. */
export interface ImportSetup {
  readonly request: ImportRequest;
  readonly inputs: Inputs;
  readonly installation: Installation;
  readonly mapping: LoadedMapping;
  readonly preparation: Preparation;
}
