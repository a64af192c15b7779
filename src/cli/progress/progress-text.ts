import { OUTCOMES, type OutcomeCounts } from '../../core/outcome.js';
import type { Progress } from '../../core/report.js';
import { counted, whole } from '../../core/text.js';

/** Where a run stands, in one line without any personal data. */
export function progressText(progress: Progress): string {
  const { rows, seconds, outcomes } = progress;
  const rate = seconds > 0 ? Math.round(rows / seconds) : 0;
  return [
    counted(rows, 'row'),
    `${whole(rate)} rows/s`,
    ...countTexts(outcomes),
    timeLeft(progress),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

const countTexts = (outcomes: OutcomeCounts): string[] =>
  OUTCOMES.filter((outcome) => outcomes[outcome] > 0).map(
    (outcome) => `${outcome} ${whole(outcomes[outcome])}`,
  );

/** Estimated from the share of the input that has been read; nothing as long as that says little. */
function timeLeft({ share, seconds }: Progress): string {
  if (share < 0.01 || share >= 1 || seconds < 1) return '';
  return `${duration((seconds * (1 - share)) / share)} left`;
}

/** Seconds as `M:SS` or `H:MM:SS`. */
export function duration(seconds: number): string {
  const all = Math.round(seconds);
  const [h, m, s] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const two = (part: number): string => String(part).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** Share from 0 to 1 as whole percent; 100 only when all is done. */
export const percent = (share: number): number => Math.floor(Math.min(Math.max(share, 0), 1) * 100);
