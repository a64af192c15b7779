import { basename } from 'node:path';
import { z } from 'zod';
import type { Mode } from '../../core/mode.js';
import type { Remembered, RememberedColumn, Target } from '../../suggest/suggestion.js';
import { hasLedger } from '../run/ledger-path.js';
import { existingLedger } from '../runs/runs.js';

const kept = z.object({
  mapping: z.string(),
  columns: z.record(z.string(), z.string().nullable()),
});

/** Runs that are looked at, the latest first. */
const MAX_RUNS = 200;
/** Share of the columns that a run must have had for its mapping to say something of this file. */
const SAME_HEADER = 0.6;

/** What the mappings of earlier runs of the mode did with columns of these names; nothing without a ledger. */
export async function rememberedColumns(
  ledgerFile: string,
  headers: readonly string[],
  mode: Mode,
): Promise<Remembered> {
  const columns = new Map<string, RememberedColumn>();
  if (!hasLedger(ledgerFile)) return columns;
  const ledger = await existingLedger(ledgerFile);
  try {
    const runs = (await ledger.runs()).filter((run) => run.mode === mode);
    for (const { run } of runs.slice(0, MAX_RUNS)) {
      const settings = kept.safeParse(await ledger.settingsOf(run)).data;
      if (settings) addColumns(columns, settings, headers);
    }
    return columns;
  } finally {
    await ledger.close();
  }
}

function addColumns(
  columns: Map<string, RememberedColumn>,
  settings: z.output<typeof kept>,
  headers: readonly string[],
): void {
  const known = headers.filter((header) => Object.hasOwn(settings.columns, header));
  if (known.length < headers.length * SAME_HEADER) return;
  const mapping = basename(settings.mapping);
  for (const header of known) {
    const target = settings.columns[header] ?? null;
    if (!columns.has(header) && (target === null || isTarget(target)))
      columns.set(header, { target, mapping });
  }
}

const PARTS: ReadonlySet<string> = new Set<Target>([
  'phones',
  'emails',
  'addresses',
  'timeZone',
  'type',
  'clientRoleId',
  'uuid',
]);

const isTarget = (target: string): target is Target =>
  PARTS.has(target) || target.startsWith('fields.');
