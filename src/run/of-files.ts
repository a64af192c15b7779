import { warmTransport } from '../client/contact-center.js';
import { defined } from '../core/text.js';
import { openLedger, warmDatabases } from '../ledger/ledger.js';
import type { Ledger } from '../ledger/port.js';
import type { CampaignSettings } from '../delivery/import.js';
import { refuseUnsureEncoding } from '../source/source.js';
import { identityOf } from './settings.js';
import type { ImportRequest, ImportResult } from './requests.js';
import { FileRows } from './rows.js';
import type { Work } from './plan.js';
import type { Closing } from './scoped.js';
import { ledgerPath } from '../options/places.js';
import { z } from 'zod';
import { InputError } from '../core/errors.js';
import type { SourceOptions } from '../core/table.js';

/*
 * What runs over files have in common: their files are opened, the contact center is asked for the campaign, and the run is
 * bound to what was found, before it is looked for in the ledger.
 */

/** @param asOf `null`: rules that depend on the time are off. @throws ConfigurationError, InputError, UsageError */
export async function openFiles(
  request: ImportRequest,
  closing: Closing,
  asOf?: null,
): Promise<FileRows> {
  const meanwhile = (): void => {
    // While the thread reads what there is to do, this one gets ready for it.
    warmTransport();
    warmDatabases();
  };
  const rows = await FileRows.open(request, { purpose: 'send', asOf, meanwhile }, closing);
  if (!request.acceptUnsureEncoding)
    for (const { name, info } of rows.preparation.inputs) refuseUnsureEncoding(name, info);
  return rows;
}

/** What the run of files is bound to, and its ledger. `encodings`: to be kept with it. */
export async function bindFiles(
  request: ImportRequest,
  rows: FileRows,
  campaign: CampaignSettings | null,
  wanted: Readonly<Record<string, unknown>>,
  closing: Closing,
) {
  const { installation, preparation } = rows;
  const identity = identityOf(rows, campaign, defined(wanted), request.baseUrl !== undefined);
  const file = ledgerPath(request.ledger, installation);
  const ledger = await openLedger(file, { lease: request.lease });
  closing(() => ledger.close());
  const labels = identity.inputs.map(
    (path, at) => [path, preparation.inputs[at]?.info.encoding ?? ''] as const,
  );
  const encodings: Encodings = Object.fromEntries(
    labels.filter(([, label]) => label !== '' && !/^utf-/.test(label)),
  );
  const warn = request.acceptUnsureEncoding ? (request.onWarning ?? (() => {})) : undefined;
  await compareEncodings(ledger, encodings, rows.source, warn);
  return { identity, ledger, encodings };
}

/** What all runs over files work on alike. */
export const workOfFiles = (rows: FileRows) =>
  ({
    installation: rows.installation,
    content: rows.content,
    identifierNames: rows.preparation.identifierNames,
    inputs: rows.names,
    findLater: (earlier, signal) => rows.later(earlier, signal),
    countRows: (wanted, signal) => rows.count(wanted, signal),
    // A run that stopped has not seen all rows, and one that was done earlier shows their number alone.
    finish: async (result: ImportResult) =>
      rows.part || (result.stopped === undefined && !(result.already && result.summary.rows > 0))
        ? rows.withWhatIsLeft(result)
        : result,
  }) satisfies Partial<Work>;

/** Encodings of files by their paths. Those of Unicode are left out: they are not guessed. */
type Encodings = Readonly<Record<string, string>>;

const kept = z.object({ encodings: z.record(z.string(), z.string()) });

const MAX_RUNS = 200;

/**
 * Compares with the latest run that read the same path in an encoding that is none of Unicode's: one of two that differ
 * was wrong, and names or codes of then and now are not the same ones. Nothing is compared where the encoding is named.
 * @param warn called with the difference where the person decides; absent where nobody is asked
 * @throws InputError where it differs and nobody is asked
 */
async function compareEncodings(
  ledger: Pick<Ledger, 'runs' | 'settingsOf'>,
  now: Encodings,
  { encoding = 'auto' }: SourceOptions,
  warn: ((message: string) => void) | undefined,
): Promise<void> {
  const left = new Map(Object.entries(now));
  if (encoding !== 'auto' || left.size === 0) return;
  for (const { run, inputs } of (await ledger.runs()).slice(0, MAX_RUNS)) {
    if (!inputs.some((path) => left.has(path))) continue;
    const earlier = kept.safeParse(await ledger.settingsOf(run)).data?.encodings ?? {};
    for (const [path, before] of Object.entries(earlier)) {
      const label = left.get(path);
      left.delete(path);
      if (label === undefined || label === before) continue;
      const message =
        `the text is ${label} now, and run ${run} read it as ${before}. Clients of that run may be wrong. ` +
        'Name the right one with --encoding, or "source: { encoding: … }" in the mapping.';
      if (!warn) throw new InputError('other_encoding', message, { file: path });
      warn(`${path}: ${message}`);
    }
    if (left.size === 0) return;
  }
}
