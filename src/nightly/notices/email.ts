import { createTransport } from 'nodemailer';
import type { EmailTarget } from '../pickup/schema.js';
import { firstPage, firstPageHtml, firstPageText } from './first-page.js';
import { mailError } from './mail-error.js';
import { type Notice, subjectOf } from './notice.js';

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
  const page = firstPage(notice);
  try {
    await transport.sendMail({
      from: target.from,
      to: [...target.recipients],
      subject: subjectOf(notice),
      messageId: `<${notice.id}@cardline>`,
      text: firstPageText(page),
      html: firstPageHtml(page),
    });
  } catch (error) {
    throw mailError(error);
  } finally {
    transport.close();
  }
}
