import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail server of the test's own, on the loopback address. */
export interface MailServer {
  readonly port: number;
  /** What has come, as it came. */
  readonly mails: readonly string[];
  /** The same with the text of its parts readable. */
  decoded(): string[];
  close(): Promise<void>;
}

export interface MailServerOptions {
  /** Who is let in. @default everybody, without a login */
  readonly login?: { readonly user: string; readonly password: string };
}

/** Where it refuses a login, it repeats what it was given, as no server should. */
export async function openMailServer({ login }: MailServerOptions = {}): Promise<MailServer> {
  const mails: string[] = [];
  const server = new SMTPServer({
    authOptional: login === undefined,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username = '', password = '' }, _session, done) => {
      const isRight = username === login?.user && password === login.password;
      if (isRight) done(null, { user: username });
      else done(new Error(`${username} may not log in with ${password}`));
    },
    onData: (stream, _session, done) => {
      let text = '';
      stream.setEncoding('utf8').on('data', (more: string) => (text += more));
      stream.on('end', () => {
        mails.push(text);
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    decoded: () => mails.map(decoded),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Parts of a mail are encoded, each in its own way; words of headers, too. */
function decoded(mail: string): string {
  const [, boundary] = /boundary="?([^"\r\n;]+)/.exec(mail) ?? [];
  const parts = boundary === undefined ? [mail] : mail.split(`--${boundary}`);
  return parts
    .map(decodedPart)
    .join('\n')
    .replaceAll(/=\?utf-8\?([BQ])\?(.*?)\?=/gi, wordOf);
}

function decodedPart(part: string): string {
  const end = part.indexOf('\r\n\r\n');
  const [head, body] = [part.slice(0, end), part.slice(end)];
  if (/^content-transfer-encoding: base64/im.test(head))
    return `${head}\n${Buffer.from(body, 'base64').toString()}`;
  if (/^content-transfer-encoding: quoted-printable/im.test(head))
    return `${head}\n${fromQuotedPrintable(body)}`;
  return part;
}

const wordOf = (_all: string, way: string, text: string): string =>
  way.toUpperCase() === 'B'
    ? Buffer.from(text, 'base64').toString()
    : fromQuotedPrintable(text.replaceAll('_', ' '));

function fromQuotedPrintable(text: string): string {
  const bytes = text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
