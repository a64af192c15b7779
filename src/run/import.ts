import { centerOf, filesSettings, shownColumns, identityOf } from './settings.js';
import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { noOutcomes, MODE_TRAITS, type Mode, type RunMode } from '../core/outcome.js';
import { workOfFiles, bindFiles, openFiles } from './of-files.js';
import { missingSecrets } from '../client/contact-center.js';
import { defined } from '../core/text.js';
import { loadInstallation } from '../installation/installation.js';
import { campaignOfFiles, ensureCampaign } from './campaigns.js';
import type { ImportRequest, ImportResult, CampaignChoice } from './requests.js';
import { columnTargets } from '../mapping/column-uses.js';
import { changeRuleOf, knownRows } from '../delivery/import.js';
import { deltaPlan, removesMissing } from './delta.js';
import { ListPlan } from './list.js';
import type { FileRows } from './rows.js';
import type { Work } from './plan.js';
import { type Closing, scoped } from './scoped.js';
import { executeRun } from './run.js';
import { identifiersOf } from '../core/prepared.js';
import { watched } from './send.js';
import { strayRejects } from '../history/history.js';
import { identifyingOptions } from '../options/kept-options.js';
import { connectRun, recoveryOf } from './connect.js';
import { UsageError } from '../core/errors.js';
import { type KnownClients, REPEATS, knownClients } from './repeats.js';
import type { RowPart } from '../core/table.js';
import type { Preparation } from '../prepare/plan.js';
import { isPostgresAddress, type EarlierRun, type RunIdentity } from '../core/ledger.js';
import type { Installation } from '../installation/installation.js';
import { ledgerPath, hasLedger } from '../options/places.js';
import { loadMapping } from '../mapping/mapping.js';
import { lookupTable } from '../prepare/lookup-table.js';
import { createSeenKeys } from '../lists/seen.js';
import { openLedger } from '../ledger/ledger.js';
import { centerKey } from '../core/client.js';
import type { Ledger } from '../ledger/port.js';
import { rowsOnRecord } from './earlier-rows.js';

/** Imports into a sandbox, in which the campaign is made when it is missing. @throws as `importFiles` does */
export async function importEnsured(request: ImportRequest): Promise<ImportResult> {
  const installation = await loadInstallation(request.installation);
  const campaign = await ensureCampaign(request, installation);
  return importFiles({ ...request, ...defined({ campaign }) });
}

/**
 * Imports spreadsheets: rows become clients by the mapping, are created (interface.md 4.1), added to the campaign
 * (4.9) when there is one, and reported row by row. A run of the same content, mapping, installation and campaign that
 * is not at its end is continued; one that is finished is not repeated.
 * @throws ConfigurationError, InputError, UsageError before anything is sent; LedgerError when the ledger cannot be
 * opened; StopRun when the contact center does not list its campaigns. Whatever happens later is reported in the result.
 */
export function importFiles(request: ImportRequest): Promise<ImportResult> {
  return executeRun(request, openImport);
}

async function openImport(request: ImportRequest, closing: Closing): Promise<Work> {
  const rows = await openFiles(request, closing);
  const { mapping, installation, preparation } = rows;
  const { mode } = mapping;
  const { duplicates } = preparation;
  checkModeOptions(mode, request);
  checkShared(request, installation, removesMissing(rows));
  refuseOtherRows(request, preparation);
  const connection = await connectRun(request, installation, closing);
  const { campaign: use } = MODE_TRAITS[mode];
  const campaign =
    use === 'unused' ? null : await campaignOfFiles(request, mapping, installation, connection);
  if (campaign === null && use === 'required')
    throw new UsageError(
      `Mode ${mode} needs a campaign: give --campaign, or a campaign section in the mapping.`,
    );
  const asked = connection.answered;
  const list = new ListPlan(preparation, request.leadPrice);
  const delta = deltaPlan(rows, campaign);
  // What the mapping does with the columns of the inputs, for whoever suggests one for such a file later.
  const headers = new Set(preparation.inputs.flatMap((input) => input.headers));
  const used = columnTargets(mapping.document.value, [...headers].slice(0, KEPT_COLUMNS));
  const wanted = identifyingOptions(request, 'import');
  const bound = await bindFiles(request, rows, campaign, wanted, closing);
  const { ledger, identity, encodings } = bound;
  const settleAll = await settlesStrays(request, rows, bound, delta !== undefined);
  return {
    ...{ ...workOfFiles(rows), mode, campaign, duplicates, connection, ledger, identity, asked },
    ...{ list, delta, settleAll },
    settings: {
      ...filesSettings(request, mode, campaign, shownColumns(rows), used),
      encodings,
      // Kept, so that a later report has the same score.
      ...defined({ asOf: rows.asOf ?? undefined, weights: list.weights ?? undefined }),
      ...defined({ delta: delta?.issue }),
    },
    chunks: () =>
      watched(rows.chunks(), (chunk) => {
        list.checks.addChunk(chunk);
        list.observations.addChunk(chunk);
      }),
    ...(rows.asOf !== null && {
      goOnAsOf: (moment) => {
        rows.asOf = moment;
        if (list.callsAsOf !== null) list.callsAsOf = moment;
      },
    }),
    changeRule: (changes) => changeRuleOf(mode, changes, campaign?.id ?? null),
    recovery: recoveryOf(request.recovery ?? mapping.recovery, installation),
    openRejects: async (out, _rows, warn) => {
      // Loaded at the end: what writes spreadsheets has no part in sending them.
      const { ImportRejects } = await import('./rejects.js');
      return new ImportRejects(out, rows.inputsAgain(), warn);
    },
  };
}

/**
 * Rejects that lie elsewhere than their run left them are looked up before they are sent, where that is wanted; else the
 * person is told. Only where rows are left out by what earlier runs over the same files did.
 */
async function settlesStrays(
  { again, settleAll, settlesStrays: settles, onWarning }: ImportRequest,
  { mapping: { mode }, preparation }: FileRows,
  { ledger, identity }: Pick<Work, 'ledger' | 'identity'>,
  isDelta: boolean,
): Promise<boolean | undefined> {
  if (REPEATS[mode]?.scope !== 'same files' || isDelta || again || settleAll) return settleAll;
  const strays = await strayRejects(ledger, identity.inputs, preparation.inputs);
  if (settleAll ?? (settles && strays.length > 0)) return true;
  for (const name of strays)
    onWarning?.(
      `${name} holds rejects of a run, but is not where that run left them: what became of their clients is not known, and those that exist are created once more. Import the file by the path that it had, or with --settle-all, which looks every client up first.`,
    );
  return settleAll;
}

const KEPT_COLUMNS = 2000;

function checkModeOptions(
  mode: Mode,
  { campaign, confirmed, recovery, rows }: ImportRequest,
): void {
  const { asksFirst, campaign: use, creates } = MODE_TRAITS[mode];
  if (asksFirst && confirmed !== true)
    throw new UsageError(
      'Mode delete deletes the client of every row. If that is meant, say so with --yes.',
    );
  if (rows !== undefined && REPEATS[mode]?.byPlace)
    throw new UsageError(
      `Mode ${mode} distinguishes the rows of a client by their order, so that only the first ones can be tried: use --limit.`,
    );
  const isNamed = campaign?.id !== undefined || campaign?.name !== undefined;
  if (isNamed && use === 'unused')
    throw new UsageError(`Mode ${mode} has no use for a campaign; leave --campaign out.`);
  if (recovery === true && !creates)
    throw new UsageError(`Mode ${mode} creates no clients, so there is nothing to recover.`);
}

/**
 * Refuses to send a part of the rows where that would send others than an import of all of them. The first row with a
 * phone wins, and what was sent may not be known by its phones: a later run of all rows would send an earlier row with the
 * same phone, too. Where the last row wins, that can be any row that a part leaves out.
 * @throws UsageError
 */
function refuseOtherRows({ rows, limit }: RowPart, { inputs, duplicates }: Preparation): void {
  const { by, keep } = duplicates;
  if (keep === 'last' && by.length > 0 && (rows ?? limit) !== undefined)
    throw new UsageError(
      'With "keep: last", the last of several rows is sent, and a part of the file does not show which one that is. Look ' +
        'at a part with check, or import all rows.',
    );
  if (rows === undefined || !by.includes('phone')) return;
  const [input, ...others] = inputs;
  // Of a second table, the rows before the range would be left out.
  const isOnlyTable = input && others.length === 0 && input.info.sheets.length <= 1;
  if (isOnlyTable && rows.first <= input.headerRow + 1) return;
  throw new UsageError(
    'With duplicates by phone, the first row with a phone is sent and later ones are skipped. Rows from the middle would ' +
      'be sent before it, and the phone twice. Try the first rows with --limit, or look at these with check --rows.',
  );
}

const SECRET = /auth|cookie|token|secret|key|pass/i;

/** Refuses an import that machines cannot share. @throws UsageError */
export function checkShared(
  request: ImportRequest,
  { ledger, headers, transport }: Pick<Installation, 'ledger' | 'headers' | 'transport'>,
  removesMissing: boolean,
): void {
  if (!request.shared) {
    if (request.detach)
      throw new UsageError('--detach leaves an import to workers: give --shared as well.');
    return;
  }
  if (request.baseUrl !== undefined)
    throw new UsageError(
      'The sandbox of a command cannot be reached from other machines: leave --shared or --sandbox out.',
    );
  if (!isPostgresAddress(ledgerPath(request.ledger, { ...(ledger ? { ledger } : {}) })))
    throw new UsageError(
      'A run that machines share needs a ledger that all of them reach: give --ledger postgres://…',
    );
  if (removesMissing && request.detach)
    throw new UsageError(
      'With "delta: { missing: dequeue }", whoever shares a run removes clients from the campaign when it has ended: leave --detach out.',
    );
  for (const [name, value] of Object.entries(headers))
    if (SECRET.test(name) && !isPlaceholder(value)) throw asText(`The header ${name}`);
  const { proxy } = transport;
  const password = proxy === undefined ? '' : new URL(proxy).password;
  // In an address, the brace of a placeholder is written as its code.
  if (password !== '' && !isPlaceholder(password.replaceAll('%7B', '{'))) throw asText('The proxy');
}

const isPlaceholder = (text: string): boolean => text.includes('${');

const asText = (what: string): UsageError =>
  new UsageError(
    `${what} of the installation holds its secret as text, which would be kept in the database. Write a placeholder such as \${TOKEN}, and set it where workers run.`,
  );

/**
 * Puts a file on record that could not be read, as a run without rows: whoever lists the runs sees that it came.
 * @param file its name, and why it could not be read, in a sentence
 * @returns the id of the run
 * @throws ConfigurationError for the installation, LedgerError
 */
export async function recordUnread(
  request: Omit<ImportRequest, 'files'>,
  file: { readonly name: string; readonly reason: string },
): Promise<string> {
  const { name, reason } = file;
  const installation = await loadInstallation(request.installation);
  return scoped(async (closing) => {
    const ledger = await openLedger(ledgerPath(request.ledger, installation));
    closing(() => ledger.close());
    const opened = await ledger.openRun({
      identity: {
        // Nobody knows what it holds: it is never the same as another one.
        ...{ inputs: [name], content: `unread ${randomUUID()}`, mapping: resolve(request.mapping) },
        ...{ installation: centerOf(installation, false), campaignId: null },
      },
      settings: {
        ...filesSettings({ ...request, files: [name] }, request.mode ?? 'create', null, undefined),
        unread: reason,
      },
      out: (id) => resolve(request.out ?? join('runs', id)),
      again: true,
    });
    if (opened.kind !== 'open') throw new Error('A run was asked for anew, and is none.');
    closing(() => opened.close());
    await opened.ledger.end({ state: 'finished', rows: 0, outcomes: noOutcomes() });
    return opened.ledger.run;
  });
}

/** What mapping and installation say of an import before its files are read. */
export type PlannedImport = Awaited<ReturnType<typeof plannedImport>>;

/** @throws ConfigurationError with every mistake of the one or the other */
export async function plannedImport({
  mapping,
  installation,
}: Pick<ImportRequest, 'mapping' | 'installation'>) {
  const { mode, campaign, recovery } = await loadMapping(mapping, { readTable: lookupTable });
  const { limits } = await loadInstallation(installation);
  const { requestsPerSecond = null, clientsPerSecond = null } = limits;
  const named: CampaignChoice | null = campaign ? defined(campaign) : null;
  return { mode, campaign: named, requestsPerSecond, clientsPerSecond, recovery };
}

/** The credentials that the installation names and that nobody has set. @throws ConfigurationError */
export async function missingCredentials({
  installation,
  env = {},
}: Pick<ImportRequest, 'installation' | 'env'>): Promise<string[]> {
  return missingSecrets(await loadInstallation(installation), env);
}

/** What an import would do about rows that earlier runs have had. */
export interface ForeseenImport {
  /** `done`: the same import has come to its end, and nothing is sent; `continue`: a run of it goes on. */
  readonly kind: 'new' | 'continue' | 'done';
  readonly run: string | null;
  /** Rows that a new run leaves out, since earlier ones have done what they ask for. */
  readonly leftOut: number;
  /** Rows whose card is there, and which are only added to the campaign. */
  readonly cards: number;
  /** Rows whose client was deleted, as by an undo: a contact center that keeps it refuses to create it anew. */
  readonly deleted: number;
}

const NOTHING: ForeseenImport = { kind: 'new', run: null, leftOut: 0, cards: 0, deleted: 0 };

/**
 * What `importFiles` would make of rows that earlier runs have had, decided as it does: nothing is opened, and nothing is
 * sent. `null` where the mapping sends what has changed alone, which only a run finds out.
 * @param campaignId the campaign that clients would be added to; `null`: none
 * @throws ConfigurationError, InputError, UsageError, LedgerInUseError as `importFiles` does
 */
export async function foreseeImport(
  request: ImportRequest,
  campaignId: number | null,
): Promise<ForeseenImport | null> {
  return scoped(async (closing) => {
    const rows = await openFiles(request, closing);
    const { sections, mode, campaign: own } = rows.mapping;
    if ('delta' in sections && sections.delta !== undefined) return null;
    const file = ledgerPath(request.ledger, rows.installation);
    if (!hasLedger(file)) return NOTHING;
    const ledger = await openLedger(file);
    closing(() => ledger.close());
    const rule = REPEATS[mode];
    const { maxCallCount = 1, disableDuplicatePhonesValidation } = own ?? {};
    const campaign =
      campaignId === null
        ? null
        : { id: campaignId, name: undefined, maxCallCount, disableDuplicatePhonesValidation };
    const wanted = defined(identifyingOptions(request, 'import'));
    const asked = {
      identity: identityOf(rows, campaign, wanted, request.baseUrl !== undefined),
      ...{ settings: {}, knows: rule, out: (run: string) => run },
    };
    let found = await ledger.foresee(asked);
    if (found.kind === 'digest') {
      const content = (await rows.content?.digest(request.signal)) ?? asked.identity.content;
      const identity = { ...asked.identity, content };
      found = await ledger.foresee({ ...asked, identity, isContentFinal: true });
    }
    if (found.kind === 'done' || found.kind === 'continue')
      return { ...NOTHING, kind: found.kind, run: found.run };
    const gather = async (
      runs: readonly EarlierRun[],
      by: typeof rule,
    ): Promise<KnownClients | null> => {
      if (!by || runs.length === 0) return null;
      const known = await knownClients({
        ...{ runs, rule: by, campaignId, keys: createSeenKeys(), notesDeleted: true },
        ...{ factsOf: (run: string) => ledger.factsOf(run), signal: request.signal },
      });
      closing(() => known.close());
      return known;
    };
    const known = await gather(found.relies, rule);
    const runs = MODE_TRAITS[mode].creates ? await sinceDeletion(ledger, asked.identity) : [];
    const ofAll = await gather(runs, REPEATS.create);
    if (!known && !ofAll) return NOTHING;
    return { ...NOTHING, ...(await countKnown(request, rows, { known, ofAll }, closing)) };
  });
}

const CREATES_OR_DELETES: ReadonlySet<RunMode> = new Set(['create', 'upsert', 'delete']);

/** Rows of runs that are read at most to find out who was deleted: it takes seconds. */
const MAX_ROWS = 1_000_000;

/**
 * Runs of this contact center, whatever their files, from the first on that was taken back or deleted clients: who was
 * deleted, and not created again since. The latest first, as many as are read in time.
 */
async function sinceDeletion(
  ledger: Pick<Ledger, 'runs' | 'undosOf'>,
  { installation }: RunIdentity,
): Promise<EarlierRun[]> {
  const all = (await ledger.runs()).filter(
    (run) =>
      CREATES_OR_DELETES.has(run.mode) && centerKey(run.installation) === centerKey(installation),
  );
  const undos = await ledger.undosOf(all.map(({ run }) => run));
  let rows = 0;
  const enough = all.findIndex((run) => (rows += run.rows ?? 0) > MAX_ROWS);
  const recent = all.slice(0, enough < 0 ? all.length : enough);
  const first = recent.findLastIndex(({ run, mode }) => mode === 'delete' || undos.has(run));
  return recent.slice(0, first + 1).map((run) => {
    const none = { reliesOnUndone: false, list: null };
    return { ...run, ...none, undos: undos.get(run.run) ?? [] };
  });
}

/**
 * Counts the rows that are no duplicates and of which earlier runs did something, as a run does when it admits them.
 * `known`: by the runs that a new one relies on; `ofAll`: by all that may have deleted clients, or created them since.
 */
async function countKnown(
  request: ImportRequest,
  rows: FileRows,
  { known, ofAll }: Record<'known' | 'ofAll', KnownClients | null>,
  closing: Closing,
): Promise<Pick<ForeseenImport, 'leftOut' | 'cards' | 'deleted'>> {
  const onRecord = () => rowsOnRecord(request, rows.preparation);
  const screen = await rows.screen(onRecord, request.signal, closing);
  const found = { leftOut: 0, cards: 0, deleted: 0 };
  for await (const chunk of rows.chunks()) {
    request.signal?.throwIfAborted();
    const { passed } = screen(chunk);
    const before = known ? knownRows(known, chunk, passed) : [];
    for (const [, { kind }] of before)
      if (kind === 'done' || kind === 'unchanged') found.leftOut++;
      else if (kind === 'created' || kind === 'enqueue_unknown') found.cards++;
    if (!ofAll) continue;
    const { clients } = chunk;
    const areKnown = new Set(before.map(([at]) => at));
    for (const index of passed)
      if (!areKnown.has(clients.at[index] ?? 0) && ofAll.isDeleted(identifiersOf(clients, index)))
        found.deleted++;
  }
  return found;
}

/* What others need of campaigns, and of a run that is watched. */
export { listCampaigns, makeCampaign } from './campaigns.js';
export {
  type RecentReason,
  type RunState,
  type StartedRun,
  type WatchedOptions,
  startRun,
} from './watch.js';
