import type { ImportJob } from '../../src/delivery/sending.js';

/** How an import is wanted, without its rows and the world that they are sent into. */
export type ImportSettings = Omit<
  ImportJob,
  'chunks' | 'center' | 'ledger' | 'seen' | 'clock' | 'random' | 'signal'
>;
