import { randomUUID, createHash } from 'node:crypto';
import { type ChangedInput, changedText } from '../core/report.js';
import { codeOf, LedgerError, interruption } from '../core/errors.js';
import type { RunIdentity } from '../core/ledger.js';
import type { RunMode } from '../core/outcome.js';
import { momentNow, systemClock } from '../core/time.js';
import type { Ledger } from '../ledger/port.js';
import type { RunOptions } from './requests.js';
import type { FileHandle } from 'node:fs/promises';
import { openRegularFile } from '../files/regular-file.js';
import type { SeenInputs } from '../prepare/inputs/seen.js';

export type RunRequest = Parameters<Ledger['openRun']>[0];
/** A run that is open for work, or why it is not. */
export type OpenedRun = Awaited<ReturnType<Ledger['openRun']>>;

/**
 * Opens a run, with the digest of large inputs where it decides what is done: whether an earlier run is continued, or
 * has been finished. Else nobody needs to wait for it.
 */
export async function openWithContent(
  ledger: Ledger,
  request: RunRequest,
  content: Content | undefined,
  waiting: Pick<RunOptions, 'signal' | 'onWarning'> = {},
): Promise<Exclude<OpenedRun, { kind: 'digest' | 'wait' }> & { readonly identity: RunIdentity }> {
  const opened = await openAfterOthers(ledger, request, waiting);
  if (opened.kind !== 'digest') return { ...opened, identity: request.identity };
  const digest = (await content?.digest()) ?? null;
  const identity = { ...request.identity, ...(digest === null ? {} : { content: digest }) };
  const decided = await openAfterOthers(
    ledger,
    { ...request, identity, isContentFinal: true },
    waiting,
  );
  if (decided.kind === 'digest') throw new Error('The ledger asks for a digest that it has.');
  return { ...decided, identity };
}

/** How often it is looked whether other runs have ended, in milliseconds. */
const LOOK_AGAIN_MS = 1000;

/**
 * Opens a run, where it is to wait for others when these have ended: nothing that was found out before counts then.
 * @throws StopRun when the signal is aborted meanwhile
 */
async function openAfterOthers(
  ledger: Ledger,
  request: RunRequest,
  { signal, onWarning }: Pick<RunOptions, 'signal' | 'onWarning'>,
): Promise<Exclude<OpenedRun, { kind: 'wait' }>> {
  let announced = '';
  let { begun } = request;
  for (;;) {
    const opened = await ledger.openRun({ ...request, begun });
    if (opened.kind !== 'wait') return opened;
    if (signal?.aborted) throw interruption(signal);
    const runs = opened.runs.join(', ');
    if (runs !== announced)
      onWarning?.(`Waiting until other runs on this contact center have ended: ${runs}.`);
    announced = runs;
    await systemClock.sleep(LOOK_AGAIN_MS, signal).catch((error: unknown) => {
      throw signal?.aborted ? interruption(signal) : error;
    });
    // Whoever waits in order to send anew knows of the others. One that goes on with a run is to see why it stopped.
    if (request.again === true) begun &&= momentNow();
  }
}

/** Digests large inputs while they are imported, and puts that on record. `warn` is called when that cannot be done, and for changed inputs. */
export function createLateContent(
  run: Extract<OpenedRun, { kind: 'open' }> & { readonly identity: RunIdentity },
  mode: RunMode,
  content: Content | undefined,
  warn: (message: string) => void,
) {
  const over = new AbortController();
  let recording: Promise<void> | undefined;
  const record = async ({ digest, changed }: Content): Promise<void> => {
    try {
      const found = await digest(over.signal);
      if (over.signal.aborted) return;
      if (found !== null) await run.identify(found);
    } catch (error) {
      if ((await changed()).length > 0) return;
      const reason = codeOf(error) || 'unknown';
      warn(`The content of the inputs could not be put on record (${reason}).`);
    }
  };
  const begin = (): void => {
    if (content && run.identity.content === run.identity.fingerprint?.content)
      recording ??= record(content);
  };
  return {
    /** Begins it, if it has not begun: not before the first answer, so that it does not hold up the first request. */
    begin,
    /**
     * The same, and looks whether the inputs are still what they were: for the end of a run. `isOver`: it is not to be
     * continued.
     * @returns the inputs that are not, each of them said
     */
    finish: async (isOver: boolean): Promise<readonly ChangedInput[]> => {
      if (isOver) begin();
      else over.abort();
      await recording;
      const changed = (await content?.changed()) ?? [];
      if (changed.length === 0) return changed;
      for (const input of changed) warn(changedText(input, mode));
      // Nobody can say what the run has read: no later import is the same one.
      if (isOver && changed.some(({ wasRead }) => !wasRead))
        await run.identify(`changed ${randomUUID()}`);
      try {
        await run.keep({ changedInputs: changed });
      } catch (error) {
        // Of a run that stopped since its ledger cannot be written, the summary alone says it.
        if (isOver || !(error instanceof LedgerError)) throw error;
      }
      return changed;
    },
    /**
     * Gives it up, if it is not there yet: the run is known by what large inputs show at once. Resolves when what has
     * begun is on record, or cannot be.
     */
    stop: async (): Promise<void> => {
      over.abort();
      await recording;
    },
  };
}

const MIB = 1024 * 1024;

/** A whole digest of no more bytes than this takes no time worth speaking of. */
const SMALL_BYTES = 8 * MIB;
/** A digest is of every byte: samples would call two lists the same that differ between them. */
const WHOLE = { pieces: Infinity, bytes: MIB };
/** The sample of a file: its first and last bytes, and some between. In a small one they overlap, and are all of it. */
const SAMPLE = { pieces: 16, bytes: 64 * 1024 };

/** What the inputs of a run hold. */
export interface Content {
  /** What large inputs show at once; absent where digesting them took no time. */
  readonly fingerprint?: NonNullable<RunIdentity['fingerprint']>;
  /** SHA-256 over all inputs, as hexadecimal text; of large ones, what stands for it until it is known. */
  readonly known: string;
  /**
   * The digest of large inputs too; begun with the first call. `null` when the signal was aborted before, or an input
   * was changed meanwhile, so that nobody can say what has been read.
   */
  readonly digest: (signal?: AbortSignal) => Promise<string | null>;
  /** What is not any more what it was when the command began; to be asked at the end, with whatever has been digested. */
  readonly changed: () => Promise<readonly ChangedInput[]>;
}

/** Looks at the inputs. Large ones are not read as a whole before that is asked for. */
export async function contentOf(paths: readonly string[], seen: SeenInputs): Promise<Content> {
  if (seen.bytes <= SMALL_BYTES) {
    const known = await digestOf(paths, WHOLE);
    const isSame = async (): Promise<boolean> => (await digestOf(paths, WHOLE)) === known;
    return { known, digest: () => Promise.resolve(known), changed: () => seen.lookAgain(isSame) };
  }
  const fingerprint = await digestOf(paths, SAMPLE);
  const known = `${fingerprint} ${seen.text}`;
  let digesting: Promise<string | null> | undefined;
  const digest = (signal?: AbortSignal): Promise<string | null> =>
    (digesting ??= digestOf(paths, WHOLE, signal).then((found) =>
      signal?.aborted ? null : found,
    ));
  // Where the digest was given up, the sample has to do: nobody waits for all of a large file after Ctrl-C.
  const isSame = async (): Promise<boolean> => {
    if ((await digestOf(paths, SAMPLE)) !== fingerprint) return false;
    const found = await digesting?.catch(() => null);
    return found === null || found === undefined || (await digestOf(paths, WHOLE)) === found;
  };
  return {
    fingerprint: { sample: fingerprint, content: known },
    known,
    digest: async (signal) => {
      const found = await digest(signal);
      const unlessAborted = (): Promise<boolean> =>
        signal?.aborted ? Promise.resolve(true) : isSame();
      return found !== null && (await seen.lookAgain(unlessAborted)).length > 0 ? null : found;
    },
    changed: () => seen.lookAgain(isSame),
  };
}

async function digestOf(
  paths: readonly string[],
  samples: typeof SAMPLE,
  signal?: AbortSignal,
): Promise<string> {
  const all = createHash('sha256');
  for (const path of paths) {
    const file = await openRegularFile(path);
    try {
      all.update(await sampled(file, samples, signal));
    } finally {
      await file.close();
    }
  }
  return all.digest('hex');
}

async function sampled(
  file: FileHandle,
  { pieces, bytes }: typeof SAMPLE,
  signal?: AbortSignal,
): Promise<Buffer> {
  const { size } = await file.stat();
  const hash = createHash('sha256').update(`${size} `);
  const isWhole = size <= pieces * bytes;
  const step = isWhole ? bytes : Math.floor((size - bytes) / (pieces - 1));
  const buffer = Buffer.allocUnsafe(bytes);
  for (let at = 0; at < size && !signal?.aborted; at += step) {
    const { bytesRead } = await file.read(buffer, 0, bytes, at);
    hash.update(buffer.subarray(0, bytesRead));
  }
  return hash.digest();
}
