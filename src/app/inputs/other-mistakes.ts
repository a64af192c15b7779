import { ConfigurationError, InputError, asOneError } from '../../core/errors.js';
import type { CheckRequest } from '../requests.js';
import { type Inputs, takeInputs } from './inputs.js';

/** Takes the inputs of a request. Where one cannot be, what is wrong with the other files is said with it. */
export async function takeInputsOf(
  request: Pick<CheckRequest, 'files' | 'names' | 'mapping' | 'installation' | 'mode' | 'signal'>,
): Promise<Inputs> {
  try {
    return await takeInputs(request.files, request.names, request.signal);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw asOneError([...(await mistakesOf(request)), error]);
  }
}

/** Loaded here alone: an import reads both in another thread. */
async function mistakesOf({
  mapping,
  installation,
  mode,
}: Pick<CheckRequest, 'mapping' | 'installation' | 'mode'>): Promise<ConfigurationError[]> {
  const { loadMapping } = await import('../../mapping/load.js');
  const { loadInstallation } = await import('../../installation/load.js');
  const { lookupTable } = await import('../../prepare/lookup-table.js');
  const loading = [
    ...(installation === undefined ? [] : [loadInstallation(installation)]),
    loadMapping(mapping, { readTable: lookupTable, mode }),
  ];
  const loaded = await Promise.allSettled(loading);
  const reasons = loaded.map((one): unknown => (one.status === 'rejected' ? one.reason : null));
  return reasons.filter((reason) => reason instanceof ConfigurationError);
}
