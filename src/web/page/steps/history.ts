import type { ComponentType } from 'preact';
import { HistoryStep } from './history/history.js';

/** The view of the runs, or of one. `null`: there is none to go to. */
export const HistoryView: ComponentType<{ readonly run: string | null }> | null = HistoryStep;
