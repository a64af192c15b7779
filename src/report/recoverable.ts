import { isKeptAsDeleted } from '../core/undo/kept-as-deleted.js';
import type { Reason } from './reasons.js';

/** Whether these rows failed since the contact center keeps their clients as deleted: an import can restore them. */
export const isRecoverable = ({ outcome, from, message }: Reason): boolean =>
  outcome === 'failed' && from === 'contact center' && isKeptAsDeleted(message);
