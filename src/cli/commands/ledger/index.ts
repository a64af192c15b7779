import { lazyGroup } from '../../group.js';

/** What is done with a ledger as a whole. */
export const ledgerCommand = lazyGroup(
  { name: 'ledger', describe: 'Make a ledger, or copy its runs into another one.' },
  async () => {
    const { ledgerGroup } = await import('./group.js');
    return ledgerGroup;
  },
);
