import type { Delivery } from '../../src/delivery/sending.js';

/** How an import is wanted, without its rows and the world that they are sent into. */
export type DeliverySettings = Omit<
  Delivery,
  'chunks' | 'center' | 'ledger' | 'seen' | 'clock' | 'random' | 'signal'
>;
