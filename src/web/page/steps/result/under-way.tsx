import type { JSX } from 'preact';
import { FollowedRun, useFollowed } from '../import/followed-run.js';

interface UnderWayProps {
  readonly run: string;
  /** The run has ended: its result is on record. */
  readonly onEnd: () => void;
}

/** A run that this server works on, as the step Import shows it. */
export const UnderWay = ({ run, onEnd }: UnderWayProps): JSX.Element => (
  <FollowedRun {...useFollowed(run, onEnd)} onAnew={onEnd} />
);
