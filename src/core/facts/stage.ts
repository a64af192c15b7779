import type { Outcome } from '../outcome.js';

interface StageTraits {
  /** How a row counts that comes no further; `change`, `verdict`: as what was done with it says. */
  readonly outcome: Outcome | 'change' | 'verdict';
  /** Whether something is yet to be done for the row, or to be found out. */
  readonly isOpen: boolean;
}

/** How far a row has come: a continued run goes on from there, and a report says how it ends. */
export const STAGES = {
  pending: { outcome: 'unknown', isOpen: true },
  creating: { outcome: 'unknown', isOpen: true },
  create_unknown: { outcome: 'unknown', isOpen: true },
  create_failed: { outcome: 'failed', isOpen: false },
  created: { outcome: 'created', isOpen: false },
  enqueuing: { outcome: 'unknown', isOpen: true },
  enqueue_unknown: { outcome: 'unknown', isOpen: true },
  enqueue_failed: { outcome: 'enqueue_failed', isOpen: false },
  enqueued: { outcome: 'enqueued', isOpen: false },
  changing: { outcome: 'unknown', isOpen: true },
  change_unknown: { outcome: 'unknown', isOpen: true },
  change_failed: { outcome: 'failed', isOpen: false },
  changed: { outcome: 'change', isOpen: false },
  inspected: { outcome: 'verdict', isOpen: false },
  unchanged: { outcome: 'unchanged', isOpen: false },
  rejected: { outcome: 'rejected', isOpen: false },
  skipped: { outcome: 'skipped', isOpen: false },
} as const satisfies Record<string, StageTraits>;

export type RowStage = keyof typeof STAGES;
