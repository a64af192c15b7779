import { defined } from '../core/defined.js';
import { ledgerNamed } from './options/ledger-option.js';

/** A request on a run of a ledger: its installation is that of the run where none is given. */
export async function requestOnRun<O extends { readonly ledger?: string }>(
  run: string,
  installation: string | undefined,
  given: O,
) {
  const { placeOfRun } = await import('../history/runs.js');
  const ledger = await ledgerNamed({ ledger: given.ledger, installation });
  const place = await placeOfRun(run, ledger);
  const request = {
    ...given,
    ...defined({ ledger }),
    installation: installation ?? place.installation,
  };
  return { sandbox: place.sandbox, request };
}
