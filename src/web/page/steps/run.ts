import type { ComponentType } from 'preact';

/** The view of one run, at `/runs/<run>`. `null`: there is none to go to. */
export const RunView: ComponentType<{ readonly run: string }> | null = null;
