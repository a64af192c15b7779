import { createTransport } from 'nodemailer';
import type { EmailTarget } from '../pickup/schema.js';
import { type Notice, subjectOf, textOf } from './notice.js';

const TIMEOUT_MS = 30_000;

/**
 * Sends a notice by e-mail, as text and HTML. Its `Message-ID` is the same when it is sent again.
 * @throws Error in the words of the mail server, when it is not taken
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
  try {
    await transport.sendMail({
      from: target.from,
      to: [...target.recipients],
      subject: subjectOf(notice),
      messageId: `<${notice.id}@cardline>`,
      text: textOf(notice),
      html: htmlOf(notice),
    });
  } finally {
    transport.close();
  }
}

function htmlOf(notice: Notice): string {
  const { sentence, next, reasons, run, outcomes } = notice;
  const counts = Object.entries(outcomes).map(([name, rows]) => row([name, String(rows)]));
  const why = reasons.map(({ column, message, rows }) =>
    row([String(rows), column ?? '', message]),
  );
  return [
    `<p>${escaped(sentence)}</p>`,
    table(['Outcome', 'Rows'], counts),
    table(['Rows', 'Column', 'Why'], why),
    run === null ? '' : `<p>Run: <code>${escaped(run)}</code></p>`,
    next === null ? '' : `<p><b>Next:</b> ${escaped(next)}</p>`,
  ].join('\n');
}

const table = (head: readonly string[], rows: readonly string[]): string =>
  rows.length === 0
    ? ''
    : `<table border="1" cellpadding="4" style="border-collapse:collapse">${row(head, 'th')}${rows.join('')}</table>`;

const row = (cells: readonly string[], tag = 'td'): string =>
  `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`;

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
