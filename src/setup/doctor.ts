import {
  CardlineError,
  ContactCenterError,
  EXIT,
  type ExitCode,
  NotAuthorizedError,
  RefusedError,
  TryLaterError,
  isServerError,
  UsageError,
} from '../core/errors.js';
import { MODE_TRAITS, type Mode } from '../core/outcome.js';
import { allCampaigns, idNamed } from '../operations/operation.js';
import { syncFields, type Installation, type Limits } from '../installation/installation.js';
import { loadInstallation } from '../installation/installation.js';
import { columnsOf } from '../mapping/column-uses.js';
import { compileMapping } from '../mapping/compile.js';
import { loadMapping, type LoadedMapping } from '../mapping/mapping.js';
import { openInput } from '../prepare/inputs/input.js';
import { openWithinLimits } from '../prepare/inputs/open.js';
import { lookupTable } from '../prepare/lookup-table.js';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { substitute } from '../files/placeholders.js';
import {
  handshake,
  createContactCenter,
  type ContactCenter,
  type ExchangeEvent,
} from '../client/contact-center.js';
import { counted, whole } from '../core/text.js';
import { hoursText, localText, nextPermitted } from '../core/time.js';
import { stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { SourceInfo, SourceOptions } from '../core/table.js';
import { inspectLedger } from '../ledger/ledger.js';
import { fileOfLedger, ledgerPath } from '../options/places.js';
import type { CampaignChoice } from '../run/requests.js';

/** What is checked before an import, in the order in which the checks depend on each other. */
export const CHECKS = [
  'installation',
  'mapping',
  'file',
  'ledger',
  'disk',
  'environment',
  'limits',
  'hours',
  'address',
  'connection',
  'path',
  'credentials',
  'clock',
  'campaign',
] as const;

type CheckName = (typeof CHECKS)[number];

/** Whose it is to do something: the person's, whose files are wrong, or the contact center's and the machine's. */
type FailureCode = typeof EXIT.usage | typeof EXIT.stopped;

type Diagnosis =
  | {
      /** `warning`: an import would go on, but somebody should know. */
      readonly state: 'ok' | 'warning';
      readonly text: string;
    }
  | { readonly state: 'failed'; readonly text: string; readonly exitCode: FailureCode };

/** What is reported of one check. */
export interface Finding {
  readonly check: CheckName;
  /** `skipped`: it could not be made, because an earlier one failed. */
  readonly state: Diagnosis['state'] | 'skipped';
  /** What was found, and what to do. For a person; holds no credentials and no data of clients. */
  readonly text: string;
}

const ok = (text: string): Diagnosis => ({ state: 'ok', text });

const warning = (text: string): Diagnosis => ({ state: 'warning', text });

const failed = (text: string, exitCode: FailureCode): Diagnosis => ({
  ...{ state: 'failed', text, exitCode },
});

/** What an import would be given. */
export interface DoctorRequest {
  /** Path of the installation file. */
  readonly installation: string;
  readonly mapping?: string | undefined;
  readonly mode?: Mode | undefined;
  /** Path of a spreadsheet. */
  readonly file?: string | undefined;
  readonly source?: SourceOptions | undefined;
  readonly campaign?: CampaignChoice | undefined;
  /** Where the person names the campaign. @default '--campaign' */
  readonly campaignKey?: string | undefined;
  readonly ledger?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted to stop at once. */
  readonly signal: AbortSignal;
  /** How a file that was opened is described. */
  readonly describeInput: (file: string, info: SourceInfo) => string;
}

export interface DoctorResult {
  /** 64: a file has to be mended; 3: the contact center or this machine stands in the way. */
  readonly exitCode: ExitCode;
  readonly results: readonly Finding[];
}

/**
 * Checks everything that an import needs, in order. It sends one request that reads, or a few where the campaigns are
 * listed, and changes nothing.
 * @param onFinding told of each check as soon as it has been made
 */
export async function examine(
  request: DoctorRequest,
  onFinding: (finding: Finding) => void,
): Promise<DoctorResult> {
  const context: CheckContext = { request };
  const results: Finding[] = [];
  const causes = new Map<CheckName, CheckName>();
  const codes = new Set<ExitCode>();
  try {
    for (const name of CHECKS) {
      const { needs, isAsked, run } = CHECKS_BY_NAME[name];
      if (isAsked?.(context) === false) continue;
      request.signal.throwIfAborted();
      const cause = needs.map((need) => causes.get(need)).find((one) => one !== undefined);
      const result =
        cause === undefined
          ? await resultOf(run, context)
          : ({ state: 'skipped', text: `not checked, because of "${cause}"` } as const);
      if (result.state === 'failed') codes.add(result.exitCode);
      if (result.state === 'failed' || result.state === 'skipped') causes.set(name, cause ?? name);
      const finding = { check: name, state: result.state, text: result.text };
      results.push(finding);
      onFinding(finding);
    }
  } finally {
    await context.center?.close();
  }
  // Files come first: what a person can mend at once.
  const exitCode = [EXIT.usage, EXIT.stopped].find((code) => codes.has(code)) ?? EXIT.ok;
  return { exitCode, results };
}

/** What is wrong on purpose is what the check found. */
async function resultOf(run: Check['run'], context: CheckContext): Promise<Diagnosis> {
  try {
    return await run(context);
  } catch (error) {
    if (!(error instanceof CardlineError) || context.request.signal.aborted) throw error;
    return failed(textOf(error), error.exitCode === EXIT.usage ? EXIT.usage : EXIT.stopped);
  }
}

/** Which operation failed means nothing to a person who did not ask for one. */
function textOf(error: CardlineError): string {
  const { message } = error;
  if (!(error instanceof ContactCenterError)) return message;
  const prefix = `${error.operation}: `;
  return message.startsWith(prefix) ? `${message.slice(prefix.length)}.` : message;
}

/** What the first request brought: the list of campaigns, cut to one, or an error. */
interface Probe {
  readonly error?: unknown;
  /** Absent when nothing was answered. */
  readonly event?: ExchangeEvent | undefined;
  /** When the answer came, in milliseconds since the epoch. */
  readonly at: number;
}

/** What earlier checks have found out for later ones. */
interface CheckContext {
  readonly request: DoctorRequest;
  installation?: Installation;
  mapping?: LoadedMapping;
  info?: SourceInfo;
  center?: ContactCenter;
  /** The latest answer of the contact center. */
  event?: ExchangeEvent;
  probe?: Probe;
}

/** One check. What it throws on purpose is what it found to be wrong. */
interface Check {
  /** Checks that have to be well before. */
  readonly needs: readonly CheckName[];
  /** Whether there is anything to check. @default there is */
  readonly isAsked?: (context: CheckContext) => boolean;
  readonly run: (context: CheckContext) => Diagnosis | Promise<Diagnosis>;
}

/** What an earlier check has found: it is among the needs of this one. */
function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a check needs another one to come before it');
  return value;
}

/** Longest time for one connection or request, in milliseconds: a person waits. */
const PATIENCE_MS = 10_000;

/** The mapping is right in itself, and suits the card. */
const mapping: Check = {
  needs: [],
  isAsked: ({ request }) => request.mapping !== undefined,
  run: async (context) => {
    const { mapping: file = '', mode } = context.request;
    const loaded = await loadMapping(file, { readTable: lookupTable, mode });
    const headers = columnsOf(loaded);
    const { card, clientRoles } = context.installation ?? {};
    compileMapping({ mapping: loaded, card, clientRoles, headers, file });
    context.mapping = loaded;
    const text = `${file}: mode ${loaded.mode}, ${counted(headers.length, 'column')}`;
    return card === undefined
      ? warning(`${text}; not compared with the card, as the installation cannot be read`)
      : ok(`${text}, suits the card`);
  },
};

/** The spreadsheet can be read, and has the columns that the mapping names. */
const file: Check = {
  needs: [],
  isAsked: ({ request }) => request.file !== undefined,
  run: async (context) => {
    const { file: path = '', mapping: wanted, describeInput } = context.request;
    const { info, text, hasRows } = await opened(context, path);
    context.info = info;
    const described = `${describeInput(path, info)}${text}`;
    if (!hasRows) return warning(`${described}; there are no data rows`);
    return wanted === undefined || context.mapping
      ? ok(described)
      : warning(`${described}; its columns were not compared, as the mapping cannot be used`);
  },
};

/** Whoever answers is a contact center. */
const path: Check = {
  needs: ['connection'],
  run: ({ probe, installation }) => {
    const { error, event } = known(probe);
    const status = `HTTP ${known(event).status}`;
    if (!(error instanceof ContactCenterError)) return ok(`a contact center answers (${status})`);
    const { seen } = error;
    if (seen !== undefined) {
      const where = seen.location === null ? '' : ` and points to ${seen.location}`;
      return failed(
        `${seen.address ?? known(installation).baseUrl} does not answer as a contact center does (${status}, ${seen.words}${where}). Check the path in baseUrl: /api/v1/ begins behind it.`,
        EXIT.usage,
      );
    }
    if (error instanceof TryLaterError)
      return failed(`the contact center is busy (${status}). Try again later.`, EXIT.stopped);
    if (error instanceof RefusedError && !isServerError(error.status))
      return ok(`a contact center answers (${status})`);
    return failed(`${error.message}. Ask the contact center's administrators.`, EXIT.stopped);
  },
};

const installation: Check = {
  needs: [],
  run: async (context) => {
    const file = context.request.installation;
    const { card, name } = (context.installation = await loadInstallation(file));
    const fields = counted(Object.keys(card).length, 'card field');
    return ok(`${file}: "${name}", ${fields}, identified by ${syncFields(card).join(', ')}`);
  },
};

/** The contact center takes the credentials. */
const credentials: Check = {
  needs: ['path'],
  run: ({ probe, installation }) => {
    const { error } = known(probe);
    const names = Object.keys(known(installation).headers);
    const sent = names.length === 0 ? 'no header is sent' : `sent in ${names.join(', ')}`;
    if (error instanceof NotAuthorizedError)
      return failed(
        `not taken (HTTP ${error.status ?? '?'}; ${sent}). Check "headers" in the installation and the variables of the environment.`,
        EXIT.stopped,
      );
    if (error instanceof RefusedError)
      return warning(`${sent}; but this account may not list campaigns: ${error.message}`);
    return ok(names.length === 0 ? 'none are asked for' : `taken (${sent})`);
  },
};

/** A header `Date` has whole seconds. */
const HALF_SECOND_MS = 500;
const NOTABLE_MS = 5_000;
const WRONG_MS = 60_000;

/** The clocks of this machine and of the contact center agree: callbacks and permitted hours go by them. */
const clock: Check = {
  needs: ['connection'],
  run: ({ probe }) => {
    const { event, at } = known(probe);
    const { date, milliseconds } = known(event);
    const theirs = Date.parse(date ?? '');
    if (Number.isNaN(theirs))
      return warning('not compared: the answer does not say what time it is');
    const ahead = theirs + HALF_SECOND_MS - (at - milliseconds / 2);
    const far = Math.abs(ahead);
    if (far <= NOTABLE_MS) return ok('agrees with that of the contact center');
    const which = ahead > 0 ? 'behind' : 'ahead of';
    const text = `the clock of this machine is ${Math.round(far / 1000)} s ${which} that of the contact center`;
    return far <= WRONG_MS
      ? warning(text)
      : failed(`${text}. Set it: callbacks and permitted hours go by it.`, EXIT.stopped);
  },
};

/** The campaign that clients would be added to is there. */
const campaign: Check = {
  needs: ['credentials'],
  isAsked: (context) =>
    wantedOf(context) !== undefined ||
    (context.mapping !== undefined && MODE_TRAITS[context.mapping.mode].campaign === 'required'),
  run: async (context) => {
    const wanted = wantedOf(context);
    if (wanted === undefined)
      return failed(
        `mode ${context.mapping?.mode ?? ''} needs a campaign. Name it with ${keyOf(context)} or in the mapping.`,
        EXIT.usage,
      );
    const campaigns = await allCampaigns(known(context.center));
    const id = wanted.id ?? idNamed(campaigns, wanted.name ?? '');
    const found = campaigns.find((one) => one.id === id);
    if (!found)
      throw new UsageError(
        `The contact center has no campaign ${id} among its ${campaigns.length}; check ${keyOf(context)} or the mapping.`,
      );
    return ok(`${id} "${found.name}", ${found.typeProcessing}`);
  },
};

const keyOf = ({ request }: CheckContext): string => request.campaignKey ?? '--campaign';

interface Wanted {
  readonly id?: number | undefined;
  readonly name?: string | undefined;
}

function wantedOf({ request, mapping }: CheckContext): Wanted | undefined {
  const isNamed = (one: Wanted | undefined): boolean =>
    one?.id !== undefined || one?.name !== undefined;
  return [request.campaign, mapping?.campaign].find(isNamed);
}

async function opened({ mapping, installation, request }: CheckContext, path: string) {
  if (!mapping) {
    const source = await openWithinLimits(path, request.source);
    let rows = 0;
    for await (const batch of source.batches()) {
      rows += batch.length;
      if (rows > 1) break;
    }
    return { info: source.info, text: '', hasRows: rows > 1 };
  }
  const options = { ...mapping.source, ...request.source };
  const wanted = request.source ?? {};
  const compiling = { card: installation?.card, clientRoles: installation?.clientRoles };
  const how = { mapping, compiling, options, wanted, verify: false };
  const input = await openInput({ path, name: path }, how);
  try {
    const first = await input.rows().next();
    const columns = `all ${counted(input.mapping.columns.length, 'column')} found`;
    return { info: input.opened.info, text: `, ${columns}`, hasRows: first.done !== true };
  } finally {
    await input.close();
  }
}

const DAY_MS = 86_400_000;
/** Days before its end at which a certificate is worth a word. */
const SOON_DAYS = 14;

/** The name of the contact center, or of the proxy before it, leads somewhere. */
const address: Check = {
  needs: ['environment'],
  run: async (context) => {
    const { baseUrl } = known(context.installation);
    const proxy = proxyOf(context);
    const host = hostOf(proxy ?? baseUrl);
    const what = proxy === undefined ? host : `the proxy ${host}`;
    if (isIP(host) !== 0) return ok(`${what}: an address itself`);
    try {
      return ok(`${what} is ${(await lookup(host)).address}`);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      const advice = code === 'EAI_AGAIN' ? 'Is this machine on the network?' : 'Check baseUrl.';
      return failed(`the name ${what} cannot be looked up (${code}). ${advice}`, EXIT.stopped);
    }
  },
};

const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

function proxyOf({ installation, request }: CheckContext): string | undefined {
  const { proxy } = known(installation).transport;
  return proxy === undefined ? undefined : substitute(proxy, request.env).text;
}

/** Something answers there, over a secure connection where one is wanted. */
const connection: Check = {
  needs: ['environment', 'hours', 'address'],
  run: async (context) => {
    const { baseUrl } = known(context.installation);
    const isSecure = baseUrl.startsWith('https:');
    // Through a proxy, the first request makes the connection.
    const security =
      isSecure && proxyOf(context) === undefined ? await secured(context) : undefined;
    context.probe = await probe(context);
    const { event, error } = context.probe;
    if (!event) throw error;
    const text = `answered in ${Math.round(event.milliseconds)} ms`;
    if (isSecure) return security ? { ...security, text: `${security.text}; ${text}` } : ok(text);
    const isHere = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(hostOf(baseUrl));
    return isHere
      ? ok(`${text}, without encryption on this machine`)
      : warning(
          `${text}, without encryption: whoever is on the way can read clients and credentials`,
        );
  },
};

async function secured({ installation }: CheckContext): Promise<Diagnosis> {
  const { protocol, validUntil } = await handshake(known(installation), PATIENCE_MS);
  const text = `${protocol}, certificate valid until ${new Date(validUntil).toISOString().slice(0, 10)}`;
  return validUntil - Date.now() < SOON_DAYS * DAY_MS ? warning(text) : ok(text);
}

/** Asks for one campaign, as an import does before its first client (interface.md 4.19). */
async function probe(context: CheckContext): Promise<Probe> {
  const { installation, request } = context;
  const timeoutMs = Math.min(known(installation).transport.timeoutMs, PATIENCE_MS);
  const call = { signal: request.signal, timeoutMs };
  try {
    await known(context.center).listCampaigns({ query: { limit: 1, offset: 0 } }, call);
    return { event: context.event, at: Date.now() };
  } catch (error) {
    if (!(error instanceof ContactCenterError)) throw error;
    return { error, event: context.event, at: Date.now() };
  }
}

/** What `${NAME}` stands for is set, and certificates can be read. */
const environment: Check = {
  needs: ['installation'],
  run: (context) => {
    const installation = known(context.installation);
    context.center = createContactCenter(installation, {
      ...{ env: context.request.env, connections: 1 },
      onAnswer: (event) => {
        context.event = event;
      },
    });
    const texts = [...Object.values(installation.headers), installation.transport.proxy ?? ''];
    const found = texts.flatMap((text) => [...text.matchAll(/\$\{([A-Za-z_]\w*)\}/g)]);
    const names = [...new Set(found.map(([, name = '']) => name))];
    return ok(names.length === 0 ? 'no variables are needed' : `${names.join(', ')}: set`);
  },
};

const LIMIT_TEXTS = {
  clientsPerRequest: (max) => `${max} clients in a request`,
  requestBytes: (max) => `${max} bytes in a request`,
  concurrency: (max) => `${max} requests at a time`,
  requestsPerSecond: (max) => `${max} requests a second`,
  clientsPerSecond: (max) => `${max} clients a second`,
} as const satisfies Record<Exclude<keyof Limits, 'hours'>, (max: string) => string>;

const limits: Check = {
  needs: ['installation'],
  run: ({ installation }) => {
    const { limits: given } = known(installation);
    const texts = Object.entries(LIMIT_TEXTS).flatMap(([name, textOf]) => {
      const max = given[name as keyof typeof LIMIT_TEXTS];
      return max === undefined ? [] : [textOf(whole(max))];
    });
    return ok(
      texts.length === 0
        ? 'none: the pace is found while an import goes'
        : `at most ${texts.join(', ')}`,
    );
  },
};

const hours: Check = {
  needs: ['installation'],
  run: ({ installation }) => {
    const { hours: permitted } = known(installation).limits;
    if (!permitted) return ok('requests are permitted at any time');
    const now = Date.now();
    const opens = nextPermitted(permitted, now);
    const text = `requests are permitted ${hoursText(permitted)}`;
    return opens <= now
      ? ok(`${text}, so now`)
      : failed(
          `${text}, so not before ${localText(permitted, opens)} there. An import would wait until then.`,
          EXIT.stopped,
        );
  },
};

/** The ledger can be written, and nobody works on one of its runs. */
const ledger: Check = {
  needs: ['installation'],
  run: async (context) => {
    const found = await inspectLedger(ledgerOf(context));
    const { file, version, ownVersion } = found;
    const [place] = found.notWritable;
    if (place !== undefined)
      return failed(
        `${place} cannot be written. Ask for the right, or name another ledger with --ledger.`,
        EXIT.stopped,
      );
    if (version !== undefined && version > ownVersion)
      return failed(
        `${file} was written by a later version of cardline. Use that version, or another --ledger.`,
        EXIT.usage,
      );
    const [run] = found.inUse;
    if (run !== undefined)
      return failed(
        `${file}: another process works on the run ${run}. Wait for it, or stop it.`,
        EXIT.stopped,
      );
    if (version === undefined) return ok(`${file}: is made by the first import`);
    return ok(
      version === ownVersion
        ? `${file}: version ${version}, not in use`
        : `${file}: version ${version}, not in use; the next import brings it to version ${ownVersion}`,
    );
  },
};

const ledgerOf = ({ request, installation }: CheckContext): string =>
  ledgerPath(request.ledger, known(installation));

const MIB = 1024 ** 2;
/** Ledger and reports of a run, at least. */
const MIN_BYTES = 64 * MIB;
/** Bytes that an import writes for each byte it reads. Measured: 1.9 times the bytes of a CSV file of short rows in the ledger, 1.8 times in the report. */
const WRITTEN_PER_INPUT_BYTE = 4;
/** What is packed becomes so many times larger. */
const PACKED = 5;

/** There is room for what an import writes: in the ledger's folder, and here, where reports go. */
const disk: Check = {
  needs: ['installation'],
  run: async (context) => {
    const { info } = context;
    const isText = info?.encoding !== undefined && !info.gzip;
    const written = (info?.bytes ?? 0) * WRITTEN_PER_INPUT_BYTE * (isText ? 1 : PACKED);
    const wanted = Math.max(MIN_BYTES, written);
    const rooms = new Map<number, { folder: string; free: number }>();
    for (const path of [dirname(resolve(fileOfLedger(ledgerOf(context)))), process.cwd()]) {
      const folder = await existing(path);
      const { dev } = await stat(folder);
      const { bavail, bsize } = await statfs(folder);
      if (!rooms.has(dev)) rooms.set(dev, { folder, free: bavail * bsize });
    }
    const all = [...rooms.values()];
    const tight = all.find(({ free }) => free < wanted);
    const text = all.map(({ folder, free }) => `${sizeText(free)} free at ${folder}`).join(', ');
    if (tight === undefined) return ok(`${text}; an import takes up to about ${sizeText(wanted)}`);
    return failed(
      `${sizeText(tight.free)} free at ${tight.folder}, and an import takes up to about ${sizeText(wanted)}. Make room, or name another place with --ledger and --out.`,
      EXIT.stopped,
    );
  },
};

/** Folders are made when they are needed: what counts is the nearest one that is there. */
async function existing(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => undefined);
  return found?.isDirectory() === true || dirname(folder) === folder
    ? folder
    : existing(dirname(folder));
}

function sizeText(bytes: number): string {
  const mib = bytes / MIB;
  return mib < 1024 ? `${Math.floor(mib)} MiB` : `${(mib / 1024).toFixed(1)} GiB`;
}

const CHECKS_BY_NAME: Readonly<Record<CheckName, Check>> = {
  ...{ installation, mapping, file, ledger, disk, environment, limits, hours },
  ...{ address, connection, path, credentials, clock, campaign },
};
