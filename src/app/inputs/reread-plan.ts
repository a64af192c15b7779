import type { PreparePlan } from '../../prepare/plan.js';
import type { ImportSetup } from './import-setup.js';
import { partOf } from './part-of.js';

/** What is read once more of the inputs of an import, as they are read to be sent. */
export function rereadPlan({
  request,
  inputs,
  corrections,
}: Pick<ImportSetup, 'request' | 'inputs' | 'corrections'>): Omit<
  PreparePlan,
  'purpose' | 'show' | 'verify' | 'share'
> {
  const { mapping, installation, mode, source = {} } = request;
  const part = partOf(request);
  return { inputs: inputs.files, mapping, installation, mode, source, part, corrections };
}
