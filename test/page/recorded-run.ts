import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ListQuality } from '../../src/core/quality.js';
import { cardline, root } from '../kit/cardline.js';
import { tablesIn } from '../kit/tables.js';

/** A run that the command line has made in the sandbox. */
export interface RecordedRun {
  readonly folder: string;
  readonly ledger: string;
  readonly installation: string;
  readonly run: string;
  readonly summary: {
    readonly rows: number;
    readonly outcomes: Readonly<Record<string, number>>;
    readonly quality: ListQuality;
  };
  readonly report: string;
  readonly rejects: string;
  remove(): Promise<void>;
}

const MAPPING = tablesIn(import.meta.dirname, 'recorded-run.yaml') as string;

/** Of 180 rows, 60 have a wrong phone, ten of them a wrong segment too; five clients are refused. */
export const ROWS = 180;
const BLACKLISTED = '89990000666';

export const nameOf = (row: number): string => `Fedora Nr${row}`;

function line(row: number): string {
  const phone = row % 3 === 0 ? 'none' : row % 36 === 1 ? BLACKLISTED : `8916${1_000_000 + row}`;
  const segment = row % 18 === 0 ? 'lukewarm' : 'cold';
  return [50_000 + row, nameOf(row), segment, phone].join(',');
}

/** Imports a list with good and bad rows by the built command line. */
export async function recordRun(): Promise<RecordedRun> {
  const folder = await mkdtemp(join(tmpdir(), 'cardline-run-'));
  const lines = Array.from({ length: ROWS }, (_, at) => line(at + 1));
  await writeFile(join(folder, 'leads.csv'), ['Offer,Name,Segment,Phone', ...lines, ''].join('\n'));
  await writeFile(join(folder, 'leads.yaml'), MAPPING);
  const installation = join(root, 'mappings/installation.yaml');
  const args = [
    'import',
    'leads.csv',
    '-m',
    'leads.yaml',
    '-i',
    installation,
    '--sandbox',
    '--json',
  ];
  const { stdout, stderr, code } = await cardline(args, { cwd: folder });
  if (code !== 2) throw new Error(`The import ended with ${String(code)}: ${stderr}`);
  const summary = JSON.parse(stdout) as RecordedRun['summary'] & { run: string; out: string };
  return {
    ...{ folder, installation, summary, run: summary.run },
    ledger: join(folder, 'cardline.db'),
    report: await readFile(join(summary.out, 'report.csv'), 'utf8'),
    rejects: await readFile(join(summary.out, 'rejects.csv'), 'utf8'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
