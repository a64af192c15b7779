import { randomUUID, createHmac } from 'node:crypto';
import type { LoadedTarget } from '../pickup/load.js';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import {
  type Event,
  type Notice,
  NOTICE_KINDS,
  type NoticeKind,
  noticeOf,
  noticeSchema,
  subjectOf,
  textOf,
} from './notice.js';
import type { Clock } from '../../core/time.js';
import type { Entry, Waiting, WatchState } from '../state/state.js';
import { boundedFetch, HTTP_LIMITS, HttpLimitError } from '../bounded-fetch.js';
import type { WebhookTarget, EmailTarget } from '../pickup/schema.js';
import { codeOf } from '../../core/errors.js';
import { OUTCOME_TRAITS, occurring, columnMessage } from '../../core/outcome.js';
import { shareText, whole } from '../../core/text.js';

/**
 * Sends each target one notice of each kind that it is to get, in order, and does not try again. Gives the target, without
 * secrets, and why the notice was not taken; `null`: it was.
 */
export async function* testNotices(
  targets: readonly LoadedTarget[],
  pickup: string,
  send: Send,
  signal: AbortSignal,
) {
  for (const target of targets)
    for (const kind of target.on) {
      if (signal.aborted) return;
      const mistake = await send(target, sampleNotice(kind, pickup), signal).then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      yield { target: placeOf(target), kind, mistake };
    }
}

/** What a notice of a kind may look like, for a test; nothing of it has happened, as its first words say. */
function sampleNotice(kind: NoticeKind, pickup: string): Notice {
  const text = readFileSync(new URL('./data/sample-notices.json', import.meta.url), 'utf8');
  const { sentence, ...facts } = samples.parse(JSON.parse(text))[kind];
  const event = { kind, pickup, isTest: true, sentence: `A test. ${sentence}` };
  return noticeSchema.parse({ ...noticeOf(event, randomUUID(), Date.now()), ...facts });
}

const samples = z.record(z.enum(NOTICE_KINDS), z.looseObject({ sentence: z.string() }));

/** Longest time in which a notice is tried again, in milliseconds. */
const GIVE_UP_MS = 24 * 60 * 60_000;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 15 * 60_000;
/** How long nobody else tries a notice that is being sent, in milliseconds. */
const SENDING_MS = 2 * 60_000;

/** Sends a notice. Rejects when it was not taken. */
type Send = (target: LoadedTarget, notice: Notice, signal: AbortSignal) => Promise<void>;

/**
 * Notices wait in the state until their target has taken them: each target gets its own in their order, over restarts,
 * for a day. One may arrive twice, with the same id, where the answer of the target was lost.
 */
export class Outbox {
  constructor(
    private readonly ports: {
      readonly state: WatchState;
      readonly targets: readonly LoadedTarget[];
      readonly send: Send;
      readonly clock: Clock;
      /** Called with what came of each attempt. @default nobody */
      readonly onAttempt?: (kind: NoticeKind, result: 'sent' | 'not_taken' | 'given_up') => void;
      /** Called with what could not be sent, without secrets. */
      readonly onWarning: (message: string) => void;
    },
  ) {}

  /**
   * Keeps notices of events, together with what belongs to them; `false`: nothing was kept, since another watcher has
   * come before.
   */
  add(events: readonly Event[], rest: Omit<Entry, 'notices'> = {}): Promise<boolean> {
    const { state, targets, clock } = this.ports;
    const now = clock.now();
    const notices = events.flatMap((event) => {
      const notice = noticeOf(event, randomUUID(), now);
      return targets
        .filter(({ on }) => on.includes(event.kind))
        .map((target) => ({ target: target.key, notice, at: now }));
    });
    return state.record({ ...rest, notices });
  }

  /** Sends what is due, until nothing is. Resolves with when to look again, `null` when nothing waits. */
  async flush(signal: AbortSignal): Promise<number | null> {
    const { state, clock } = this.ports;
    const targets = this.ports.targets.map(({ key }) => key);
    for (;;) {
      if (signal.aborted) return state.nextDue(targets);
      const due = await state.due(targets, clock.now(), clock.now() + SENDING_MS);
      if (due.length === 0) {
        await state.forget(clock.now() - 2 * GIVE_UP_MS);
        return state.nextDue(targets);
      }
      await Promise.all(due.map((waiting) => this.#try(waiting, signal)));
    }
  }

  async #try(waiting: Waiting, signal: AbortSignal): Promise<void> {
    const { state, targets, send, clock, onWarning } = this.ports;
    const target = targets.find((one) => one.key === waiting.target);
    if (!target) return;
    try {
      await send(target, waiting.notice, signal);
      this.ports.onAttempt?.(waiting.notice.kind, 'sent');
    } catch (error) {
      if (signal.aborted) return state.again(waiting.id, clock.now(), false);
      const reason = error instanceof Error ? error.message : String(error);
      const words = `A notice to ${placeOf(target)} was not taken (${reason})`;
      const isOver = clock.now() - waiting.at >= GIVE_UP_MS;
      this.ports.onAttempt?.(waiting.notice.kind, isOver ? 'given_up' : 'not_taken');
      if (isOver) {
        onWarning(`${words}; it is given up after a day.`);
        return state.sent(waiting.id);
      }
      const doubled = FIRST_PAUSE_MS * 2 ** Math.min(waiting.attempts, 20);
      const pause = Math.min(LONGEST_PAUSE_MS, doubled);
      if (waiting.attempts === 0) onWarning(`${words}; it is tried again for a day.`);
      return state.again(waiting.id, clock.now() + pause, true);
    }
    await state.sent(waiting.id);
  }
}

/** A target for people and logs: the paths of webhooks are secrets. */
const placeOf = (target: LoadedTarget): string =>
  target.to === 'email' ? target.recipients.join(', ') : new URL(target.url).host;

/** Sends a notice the way its target takes it. */
export const sendNotice: Send = async (target, notice, signal) => {
  if (target.to === 'webhook') return postNotice(target, notice, signal);
  return mailNotice(target, notice);
};

/**
 * Posts a notice: JSON in the target's form, with `Cardline-Signature` where there is a secret, and `Cardline-Id`, which
 * is the same when it is sent again.
 * @throws Error in words without the address, when it is not taken
 */
async function postNotice(
  target: WebhookTarget,
  notice: Notice,
  signal: AbortSignal,
): Promise<void> {
  // As text: it is signed as it is sent.
  const body = JSON.stringify((BODIES[target.body] as Body)(notice, target));
  const { secret } = target;
  const headers = {
    'content-type': 'application/json',
    'accept-encoding': 'identity',
    'cardline-id': notice.id,
    ...(secret === undefined ? {} : { 'cardline-signature': signature(body, secret) }),
  };
  const options = { method: 'POST', headers, body, redirect: 'error', signal } as const;
  const asked = boundedFetch(target.url, options, HTTP_LIMITS.webhook);
  const answer = await asked.catch((error: unknown) => {
    throw new Error(reasonOf(error));
  });
  try {
    // The connection is free for the next one only when the answer has been read.
    for await (const _ of answer.pieces());
  } catch {
    // It was taken or not: the status has told. The connection is given up instead.
  } finally {
    answer.close();
  }
  const { ok, status } = answer.response;
  if (!ok) throw new Error(`HTTP ${status}`);
}

/** In the words of the system: the message of `fetch` says only that it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it failed';
  if (error instanceof HttpLimitError) return error.message;
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return code === '' ? 'no answer' : code;
}

/**
 * The signature of a webhook: `t=<seconds>,v1=<hex>`, HMAC-SHA256 over `<seconds>.<body>`. The receiver computes the
 * same, compares without early exit, and refuses what is older than some minutes.
 */
function signature(body: string, secret: string): string {
  const seconds = Math.floor(Date.now() / 1000);
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${mac}`;
}

type Body = (notice: Notice, target: WebhookTarget) => object;

const BODIES = {
  notice: (notice) => notice,
  slack: (notice) => ({ text: `*${subjectOf(notice)}*\n${textOf(notice)}` }),
  teams: (notice) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            { type: 'TextBlock', weight: 'Bolder', wrap: true, text: subjectOf(notice) },
            { type: 'TextBlock', wrap: true, text: textOf(notice) },
          ],
        },
      },
    ],
  }),
  telegram: (notice, { chat }) => ({
    chat_id: chat,
    text: `${subjectOf(notice)}\n${textOf(notice)}`,
  }),
} satisfies Record<WebhookTarget['body'], Body>;

const TIMEOUT_MS = 30_000;

/**
 * Sends a notice by e-mail, as text and HTML: the first page of the report. Its `Message-ID` is the same when it is sent again.
 * @throws Error when it is not taken
 */
async function mailNotice(target: EmailTarget, notice: Notice): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: target.smtp,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // A notice holds no files: nothing in it leads to one.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const facts = factsOf(notice);
  try {
    await transport.sendMail({
      from: target.from,
      to: [...target.recipients],
      subject: subjectOf(notice),
      messageId: `<${notice.id}@cardline>`,
      text: textPage(notice, facts),
      html: htmlPage(notice, facts),
    });
  } catch (error) {
    throw mailError(error);
  } finally {
    transport.close();
  }
}

const CAUSES: Readonly<Record<string, string>> = {
  EAUTH: 'the mail server refuses the user or the password',
  ENOAUTH: 'the mail server wants a user and a password',
  ECONNECTION: 'the mail server does not answer',
  ECONNREFUSED: 'no mail server answers there',
  ETIMEDOUT: 'the mail server does not answer in time',
  ESOCKET: 'the connection to the mail server was lost, or cannot be made',
  EDNS: 'there is no host of this name',
  ETLS: 'the mail server cannot be talked to by TLS',
  EENVELOPE: 'the mail server refuses the sender or a recipient',
  EMESSAGE: 'the mail server refuses the message',
};

/** Why a mail was not taken. The words of the server are left out: they may repeat what it was given, such as a password. */
function mailError(error: unknown): Error {
  const code = codeOf(error);
  const { responseCode, response } = serverAnswer.parse(error);
  // RFC 3463: which rule of the server it was, such as 5.7.1.
  const rule = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
  const details = [code, responseCode, rule].filter((one) => one !== undefined && one !== '');
  const cause = CAUSES[code] ?? 'the mail cannot be sent';
  return new Error([`${cause}:`, ...details].join(' ').replace(/:$/, ''));
}

const serverAnswer = z
  .object({ responseCode: z.number().optional().catch(undefined), response: z.string().catch('') })
  .catch({ response: '' });

/** What a notice may know of the first page of a report: counts and words, no values of cells. */
type Fact = readonly [label: string, value: string, note?: string];

const QUALITY = 'how good the list is';

function factsOf(notice: Notice): Fact[] {
  const { pickup, file, run, rows, outcomes, quality, seconds } = notice;
  const facts: (Fact | false)[] = [
    ['Pickup', pickup],
    file !== null && ['File', file],
    run !== null && ['Run', run],
    rows !== null && ['Rows', whole(rows)],
    ...occurring(outcomes).map(([outcome, count]): Fact => {
      const share = rows ? `${shareText(count, rows)}: ` : '';
      return [outcome, whole(count), `${share}${OUTCOME_TRAITS[outcome].meaning}`];
    }),
    // A notice that an earlier version left waiting has neither.
    typeof quality === 'number' && ['List', `${Math.round(quality)} of 100`, QUALITY],
    typeof seconds === 'number' && ['Time', `${seconds.toFixed(1)} s`],
  ];
  return facts.filter((fact) => fact !== false);
}

function textPage({ sentence, reasons, next }: Notice, facts: readonly Fact[]): string {
  const width = Math.max(...facts.map(([label]) => label.length));
  return [
    sentence,
    '',
    ...facts.map(
      ([label, value, note]) => `${label.padEnd(width)}  ${value}${note ? `  (${note})` : ''}`,
    ),
    ...(reasons.length === 0 ? [] : ['', 'Why rows did not end well:']),
    ...reasons.map((reason) => `- ${whole(reason.rows)} x ${columnMessage(reason)}`),
    ...(next === null ? [] : ['', `Next: ${next}`]),
    '',
  ].join('\n');
}

/** The page as HTML, for programs that show mail: no script, no picture, nothing from elsewhere. */
function htmlPage({ sentence, reasons, next }: Notice, facts: readonly Fact[]): string {
  const why = reasons.map(({ rows, column, message }) => [whole(rows), column ?? '', message]);
  return [
    '<!doctype html><meta charset="utf-8">',
    `<body style="font-family:sans-serif;max-width:42em"><p style="font-size:1.2em">${escaped(sentence)}</p>`,
    table(
      [],
      facts.map(([label, value, note = '']) => [label, value, note]),
    ),
    table(['Rows', 'Column', 'Why'], why),
    next === null ? '' : `<p><b>Next:</b> <code>${escaped(next)}</code></p>`,
    '</body>',
  ].join('\n');
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length === 0
    ? ''
    : `<table border="1" cellpadding="4" style="border-collapse:collapse;margin:1em 0">${[
        ...(head.length === 0 ? [] : [row(head, 'th')]),
        ...rows.map((cells) => row(cells, 'td')),
      ].join('')}</table>`;

const row = (cells: readonly string[], tag: 'td' | 'th'): string =>
  `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`;

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
