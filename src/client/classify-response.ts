import { type OperationName, operations, type Operation } from '../contract/operations.js';
import {
  NotAuthorizedError,
  OutcomeUnknownError,
  RefusedError,
  TryLaterError,
  type ContactCenterError,
  type ForeignAnswer,
  classOf,
  meaningOf,
  type StatusMeaning,
} from '../core/errors.js';
import type { z } from 'zod';
import { isRecord, shortenedMessage } from '../core/text.js';
import type { CreateResult } from '../core/client.js';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

/** What an answer means: the operation's value, or an error that says what the caller can do. */
export type ClassifiedResponse =
  { readonly value: unknown } | { readonly error: ContactCenterError };

/**
 * Operations that only read what is known of a client. A refusal that arrives in pieces says nothing of it, and asking
 * again does no harm.
 */
const LOOKUPS: ReadonlySet<OperationName> = new Set(['readClient', 'listApplications']);

/**
 * Classifies an answer by the shape of its body, and by its status where the body says nothing: the interface does not
 * show the status codes of errors (interface.md 7). Pure; `now` is for a `Retry-After` that is a date,
 * `address` says what was asked, for the person.
 *
 * What reads as success or as refusal is taken at its word. Anything else is a refusal only when the status says that
 * nothing was done; otherwise the outcome is unknown.
 */
export function classifyResponse(
  name: OperationName,
  answer: Answer,
  now: number,
  address?: string,
): ClassifiedResponse {
  const { status } = answer;
  const kind = classOf(status);
  const body = readBody(answer);
  if (kind === 'informational' || kind === 'redirect') {
    const seen = kind === 'redirect' ? seenIn(name, answer, body, address) : undefined;
    return unknown(name, status, 'a redirect', seen);
  }
  const parsed = parseAnswer(name, body);
  if (parsed.kind === 'success' && (parsed.isUnmistakable || kind === 'success'))
    return { value: parsed.value };
  const isGarbled = isGarbledJson(body);
  const isOther = isForeign(name, status, parsed) && !isGarbled;
  const seen = isOther ? seenIn(name, answer, body, address) : undefined;
  const error =
    errorByStatus(name, answer, now, parsed) ??
    (isGarbled && LOOKUPS.has(name) ? undefined : errorByBody(name, status, parsed, seen));
  return error === undefined ? unknown(name, status, describe(body), seen) : { error };
}

/** Client errors that a proxy gives as well as a contact center, so that they say nothing of who answers. */
const OF_ANYBODY: ReadonlySet<StatusMeaning> = new Set([
  'unauthenticated',
  'forbidden',
  'timeout',
  'too_large',
  'busy',
]);

/** The list of campaigns is always there: where it is not, this is another path, whoever answers. */
const NO_SUCH_PATH: ReadonlySet<StatusMeaning> = new Set(['not_found', 'wrong_method']);

/** Whether the answer comes from something else than a contact center, as far as it shows. */
function isForeign(name: OperationName, status: number, { kind }: ParsedAnswer): boolean {
  const meaning = meaningOf(status);
  if (name === 'listCampaigns' && NO_SUCH_PATH.has(meaning)) return true;
  if (classOf(status) === 'success') return kind === 'unrecognized';
  const isOwn = kind === 'refusal' || kind === 'unreadable_refusals';
  return classOf(status) === 'client_error' && !OF_ANYBODY.has(meaning) && !isOwn;
}

/** The error of a status that means the same with any body. */
function errorByStatus(
  name: OperationName,
  { status, headers }: Answer,
  now: number,
  parsed: ParsedAnswer,
): ContactCenterError | undefined {
  switch (meaningOf(status)) {
    case 'unauthenticated':
    case 'forbidden': {
      const words = parsed.kind === 'refusal' ? parsed.errorMessage : undefined;
      return new NotAuthorizedError(words ?? `HTTP ${status}, check the credentials`, name, status);
    }
    case 'busy': {
      const message = `${name}: the contact center is busy (HTTP ${status})`;
      return new TryLaterError(message, name, status, retryAfterMs(headers['retry-after'], now));
    }
    case 'gateway':
      return new OutcomeUnknownError(
        `${name}: the gateway got no answer (HTTP ${status})`,
        name,
        status,
      );
    default:
      return undefined;
  }
}

function errorByBody(
  name: OperationName,
  status: number,
  parsed: ParsedAnswer,
  seen: ForeignAnswer | undefined,
): ContactCenterError | undefined {
  if (parsed.kind === 'refusal')
    return new RefusedError(parsed.errorMessage, name, status, { seen });
  // A client error means that nothing was done, except where some clients were refused and others perhaps not.
  const notDone =
    classOf(status) === 'client_error' &&
    meaningOf(status) !== 'timeout' &&
    parsed.kind !== 'unreadable_refusals';
  return notDone ? new RefusedError(`HTTP ${status}`, name, status, { seen }) : undefined;
}

function unknown(
  name: OperationName,
  status: number,
  what: string,
  seen: ForeignAnswer | undefined,
): ClassifiedResponse {
  const message = `${name}: the answer (HTTP ${status}, ${what}) is not one of the interface's`;
  return { error: new OutcomeUnknownError(message, name, status, { seen }) };
}

/** Whether a body was JSON before something on the way cut or broke it. */
function isGarbledJson(body: Body): boolean {
  return body.kind === 'unreadable' || (body.kind === 'text' && /^[[{"]/.test(body.text));
}

/** Names the kind of a body without quoting it, since it may hold personal data. */
function describe(body: Body): string {
  if (body.kind === 'json') return 'JSON of another form';
  if (isGarbledJson(body) && body.kind === 'text') return 'JSON that is cut short';
  if (body.kind === 'text') return body.text.startsWith('<') ? 'HTML' : 'text';
  return body.kind === 'empty' ? 'an empty body' : 'a body that cannot be unpacked';
}

/**
 * Milliseconds that a `Retry-After` header asks to wait: seconds, or an HTTP date seen from `now`. Never negative;
 * `undefined` when the header is absent or says neither.
 */
function retryAfterMs(
  header: string | readonly string[] | undefined,
  now: number,
): number | undefined {
  const text = (typeof header === 'string' ? header : header?.[0])?.trim();
  if (text === undefined) return undefined;
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1000;
  // Every form of HTTP date begins with the name of a day; Date.parse alone takes '-5' for a year.
  const date = /^[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Maximum characters of a body, and of an address, that are reported. */
const WORDS = 80;
const ADDRESS = 200;
/** How much of a page is searched for its words, in characters. */
const SEARCHED = 16 * 1024;

/** What an answer that is not the interface's shows of who gave it. */
function seenIn(
  name: OperationName,
  { status, headers }: Answer,
  body: Body,
  address: string | undefined,
): ForeignAnswer {
  const words = wordsOf(body, QUOTED.has(name));
  return { status, words, location: locationIn(headers), address };
}

/** Operations that send nothing of a client, which an answer could repeat. */
const QUOTED: ReadonlySet<OperationName> = new Set(['listCampaigns']);

function wordsOf(body: Body, quotes: boolean): string {
  if (body.kind === 'json') return quotes ? quoted(JSON.stringify(body.json)) : 'JSON';
  if (body.kind !== 'text')
    return body.kind === 'empty' ? 'an empty body' : 'a body that cannot be unpacked';
  const text = body.text.slice(0, SEARCHED);
  // The title of a page says best what it is.
  const title = text.startsWith('<') && /<title[^>]*>([^<]*)/i.exec(text)?.[1]?.trim();
  if (title) return quoted(title);
  if (!quotes) return text.startsWith('<') ? 'a page' : 'text';
  return quoted(text.startsWith('<') ? wordsOfPage(text) : text);
}

function quoted(text: string): string {
  const words = cut(clean(text), WORDS);
  return words === '' ? 'an empty body' : `"${words}"`;
}

function wordsOfPage(html: string): string {
  return html
    .replace(/<(script|style)\b.*?(<\/\1\s*>|$)/gis, ' ')
    .replace(/<!--.*?(-->|$)/gs, ' ')
    .replace(/<[^>]*(>|$)/g, ' ');
}

/** Control and direction characters could change what a terminal shows. */
const clean = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();

function cut(text: string, max: number): string {
  const characters = Array.from(text.slice(0, 2 * max));
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}

function locationIn({ location }: Answer['headers']): string | null {
  const given = clean((Array.isArray(location) ? location[0] : location) ?? '');
  if (given === '') return null;
  const [address = ''] = given.split(/[?#]/);
  return cut(address.replace(/^([a-z][a-z\d+.-]*:)?\/\/[^/]*@/i, '$1//'), ADDRESS);
}

/** What the body of an answer says by itself, before the status is looked at. */
type ParsedAnswer =
  /** `isUnmistakable`: the body can be nothing but the operation's own answer, whatever the status. */
  | { readonly kind: 'success'; readonly value: unknown; readonly isUnmistakable: boolean }
  | { readonly kind: 'refusal'; readonly errorMessage: string }
  /** Some clients were refused, and the body does not say which (4.9). */
  | { readonly kind: 'unreadable_refusals' }
  | { readonly kind: 'unrecognized' };

const UNRECOGNIZED = { kind: 'unrecognized' } as const;

function parseAnswer(name: OperationName, body: Body): ParsedAnswer {
  const operation: Operation = operations[name];
  if (operation.response === undefined) return parseAcknowledgement(body);
  if (body.kind !== 'json') return UNRECOGNIZED;
  if (operation.failure === 'errors' && fieldOf(body.json, 'errors') !== undefined) {
    const partial = parseSuccess(name, operation.response, body.json, true);
    return partial.kind === 'success' ? partial : { kind: 'unreadable_refusals' };
  }
  if ((distinct ??= distinctOperations()).has(name)) {
    const success = parseSuccess(name, operation.response, body.json, true);
    return success.kind === 'success' ? success : parseRefusal(body.json);
  }
  const refusal = parseRefusal(body.json);
  return refusal.kind === 'refusal'
    ? refusal
    : parseSuccess(name, operation.response, body.json, false);
}

function parseAcknowledgement(body: Body): ParsedAnswer {
  const refusal = body.kind === 'json' ? parseRefusal(body.json) : UNRECOGNIZED;
  if (refusal.kind === 'refusal') return refusal;
  return isAcknowledgement(body)
    ? { kind: 'success', value: undefined, isUnmistakable: false }
    : UNRECOGNIZED;
}

function parseSuccess(
  name: OperationName,
  response: z.ZodType,
  json: unknown,
  isUnmistakable: boolean,
): ParsedAnswer {
  if (name === 'addClients') {
    const value = readCreateAnswer(json);
    return value === undefined ? UNRECOGNIZED : { kind: 'success', value, isUnmistakable };
  }
  if (name === 'addApplications') {
    const { data } = operations.addApplications.response.safeParse(json);
    if (!data) return UNRECOGNIZED;
    const errors = data.errors?.map((error) => ({
      ...error,
      errorMessage: shortenedMessage(error.errorMessage),
    }));
    return { kind: 'success', value: { ...data, ...(errors && { errors }) }, isUnmistakable };
  }
  const read = response.safeParse(json);
  return read.success ? { kind: 'success', value: read.data, isUnmistakable } : UNRECOGNIZED;
}

/** A blank message is no refusal: it may as well be a field that the server always writes. */
function parseRefusal(json: unknown): ParsedAnswer {
  const errorMessage = fieldOf(json, 'errorMessage');
  return typeof errorMessage === 'string' && errorMessage.trim() !== ''
    ? { kind: 'refusal', errorMessage: shortenedMessage(errorMessage) }
    : UNRECOGNIZED;
}

/** Known with the first answer: looking it up takes time that the first request need not wait for. */
let distinct: ReadonlySet<string> | undefined;

/** Operations whose success neither an empty nor a refusing body can be mistaken for. */
function distinctOperations(): ReadonlySet<string> {
  const found = Object.entries(operations)
    .filter(([, operation]) => 'response' in operation && isDistinct(operation.response))
    .map(([name]) => name);
  return new Set(found);
}

function isDistinct(response: z.ZodType): boolean {
  return [{}, [], { errorMessage: '' }].every((other) => !response.safeParse(other, ONCE).success);
}

/** Compiling a schema takes longer than using it once. */
const ONCE = { jitless: true };

/** A few plain words, such as `OK` or `Created` (4.15). */
const PLAIN_WORDS = /^[a-z][a-z ]{0,39}[.!]?$/i;
const BAD_NEWS = /err|fail|exception|denied|forbidden|invalid|not |unavailable|timeout|timed out/i;

/**
 * Whether a body acknowledges: the interface calls it 'OK' and does not show its form. So it may be empty, any JSON
 * that reports no error, or a few plain words that are no bad news; never a page of HTML.
 */
function isAcknowledgement(body: Body): boolean {
  if (body.kind === 'empty') return true;
  if (body.kind === 'text') return isGoodWord(body.text);
  if (body.kind !== 'json' || body.json === false) return false;
  if (typeof body.json === 'string') return isGoodWord(body.json);
  return !['errorMessage', 'errors', 'error'].some(
    (field) => fieldOf(body.json, field) !== undefined,
  );
}

const isGoodWord = (text: string): boolean => PLAIN_WORDS.test(text) && !BAD_NEWS.test(text);

/** A field of a JSON object; `undefined` when it is absent or null, which some servers write for absent. */
function fieldOf(json: unknown, field: string): unknown {
  if (typeof json !== 'object' || json === null || !Object.hasOwn(json, field)) return undefined;
  const value: unknown = Reflect.get(json, field);
  return value ?? undefined;
}

/**
 * Reads the answer of 4.1, or gives `undefined` when it is not one. Written by hand, since it runs for every client
 * of an import: it takes a sixth of the time of the contract's schema, and a test compares the two.
 * Only `createdClientId: null` is taken for absent here, as servers write that cannot leave a field out; and long texts
 * are shortened.
 */
export function readCreateAnswer(body: unknown) {
  if (!isRecord(body) || !Array.isArray(body['createResult'])) return undefined;
  const elements: readonly unknown[] = body['createResult'];
  const createResult: CreateResult[] = [];
  for (const element of elements) {
    const result = readElement(element);
    if (result === undefined) return undefined;
    createResult.push(result);
  }
  return { ...body, createResult };
}

function readElement(element: unknown): CreateResult | undefined {
  if (!isRecord(element)) return undefined;
  if (element['createdClientId'] === null) delete element['createdClientId'];
  if (!isCreateResult(element)) return undefined;
  const result = shortenedMessage(element.result);
  return result === element.result ? element : { ...element, result };
}

function isCreateResult(element: object): element is CreateResult {
  const { uuid, result, createdClientId }: Partial<Record<keyof CreateResult, unknown>> = element;
  return (
    typeof uuid === 'string' &&
    typeof result === 'string' &&
    (createdClientId === undefined || Number.isSafeInteger(createdClientId))
  );
}

/** A response as it came over the wire. Header names are in lower case. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

/** What a response body turned out to be, whatever its content-type says. */
type Body =
  | { readonly kind: 'empty' | 'unreadable' }
  | { readonly kind: 'json'; readonly json: unknown }
  | { readonly kind: 'text'; readonly text: string };

/** Largest body that is unpacked, in bytes. */
const UNPACKED_BYTES = 64 * 1024 * 1024;
const unpackers = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
} as const;

const MAY_BE_JSON = /^[[{"\-\dtfn]/;

/** Reads the body of an answer: as JSON where it is JSON, else as text. Never throws. */
function readBody(answer: Answer): Body {
  const bytes = unpack(answer);
  if (bytes === undefined) return { kind: 'unreadable' };
  // A byte order mark is legal in front of text but not of JSON; trim() takes it for white space.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString().trim();
  if (text === '') return { kind: 'empty' };
  // An error that is thrown and caught costs more than all else here, and every change is answered by a plain word.
  if (!MAY_BE_JSON.test(text)) return { kind: 'text', text };
  try {
    return { kind: 'json', json: JSON.parse(text) };
  } catch {
    return { kind: 'text', text };
  }
}

/** Compression is not asked for, but some proxies compress unasked. */
function unpack({ headers, body }: Answer): Uint8Array | undefined {
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity' || body.byteLength === 0) return body;
  const unpacker = Object.entries(unpackers).find(([name]) => name === encoding)?.[1];
  try {
    return unpacker?.(body, { maxOutputLength: UNPACKED_BYTES });
  } catch {
    return undefined;
  }
}
