import { createTransport } from 'nodemailer';
import { z } from 'zod';
import type { EmailTarget } from '../pickup/schema.js';
import { type Notice, subjectOf } from './notice.js';
import { codeOf } from '../../core/errors.js';
import { OUTCOME_TRAITS, occurring } from '../../core/outcome.js';
import { shareText, whole } from '../../core/text.js';
import { columnMessage } from '../../core/problem.js';

const TIMEOUT_MS = 30_000;

/**
 * Sends a notice by e-mail, as text and HTML: the first page of the report. Its `Message-ID` is the same when it is sent again.
 * @throws Error when it is not taken
 */
export async function mailNotice(target: EmailTarget, notice: Notice): Promise<void> {
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
  const { pickup, file, run, rows, quality, seconds } = notice;
  const facts: (Fact | false)[] = [
    ['Pickup', pickup],
    file !== null && ['File', file],
    run !== null && ['Run', run],
    rows !== null && ['Rows', whole(rows)],
    ...outcomeFacts(notice),
    // A notice that an earlier version left waiting has neither.
    typeof quality === 'number' && ['List', `${Math.round(quality)} of 100`, QUALITY],
    typeof seconds === 'number' && ['Time', `${seconds.toFixed(1)} s`],
  ];
  return facts.filter((fact) => fact !== false);
}

const outcomeFacts = ({ rows, outcomes }: Notice): Fact[] =>
  occurring(outcomes).map(([outcome, count]) => {
    const share = rows ? `${shareText(count, rows)}: ` : '';
    return [outcome, whole(count), `${share}${OUTCOME_TRAITS[outcome].meaning}`];
  });

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
