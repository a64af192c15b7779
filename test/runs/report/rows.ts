import type { RunRecord } from '../../../src/core/ledger.js';
import { noOutcomes } from '../../../src/core/outcome.js';
import type { RowReport } from '../../../src/core/report.js';
import type { RunReport } from '../../../src/report/rows.js';

/** A row that ended well, but for what is said of it. */
export const rowReport = (change: Partial<RowReport> = {}): RowReport => ({
  ordinal: 0,
  input: 0,
  sheet: null,
  row: 2,
  uuid: '6f9619ff-8b86-5011-b42d-00c04fc964ff',
  identifiers: [1001, 'shop.example.com'],
  outcome: 'enqueued',
  createdClientId: 17,
  createResult: 'Success',
  enqueueResult: 'Success',
  changeResult: null,
  problems: [],
  ...change,
});

const run: RunRecord = {
  run: '20261120-174500-1f3a',
  mode: 'create',
  state: 'finished',
  inputs: ['/data/leads.csv'],
  campaignId: 42,
  installation: 'demo http://127.0.0.1:8080 offerId offerDomain',
  createdAt: Date.UTC(2026, 10, 20, 17, 45),
  endedAt: Date.UTC(2026, 10, 20, 17, 46),
  out: '/data/runs/20261120-174500-1f3a',
  rows: null,
  outcomes: noOutcomes(),
};

/** A run of these rows. */
export const runReport = (
  rows: Iterable<RowReport>,
  {
    only = null,
    campaignName,
    isSandbox,
    ...change
  }: Partial<RunRecord> & Partial<Pick<RunReport, 'only' | 'campaignName' | 'isSandbox'>> = {},
): RunReport => ({
  run: { ...run, ...change },
  ledger: '/srv/cardline.db',
  identifierNames: ['offerId', 'offerDomain'],
  rows,
  only,
  campaignName,
  isSandbox,
});
