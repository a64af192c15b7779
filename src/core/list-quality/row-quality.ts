import { addGood, addQuality, type QualityCounts } from './tally.js';
import type { RowReport } from '../report.js';

/** Counts a row at its end for the quality of its list. What the contact center refused says nothing of the list. */
export function addRowQuality(counts: QualityCounts, row: RowReport): void {
  const { outcome, problems, remarks, zoneFrom } = row;
  if (outcome !== 'rejected' && outcome !== 'skipped' && !remarks && zoneFrom === undefined) {
    addGood(counts);
    return;
  }
  const kind = outcome === 'rejected' || outcome === 'skipped' ? outcome : 'sent';
  addQuality(counts, { kind, problems, remarks, zoneFrom });
}
