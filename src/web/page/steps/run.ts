import type { ComponentType } from 'preact';
import { RunResultView } from './result/result.js';

/** The view of one run, at `/runs/<run>`. */
export const RunView: ComponentType<{ readonly run: string }> = RunResultView;
