import type { Inspection } from '../../core/center.js';
import type { Subject } from '../change/rule.js';

/** Compares a client with the contact center. It only reads. */
export type Inspect = (subject: Subject) => Promise<Inspection>;
