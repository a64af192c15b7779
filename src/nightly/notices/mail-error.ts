import { codeOf } from '../../core/errors.js';

/** What the codes of nodemailer mean. */
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
export function mailError(error: unknown): Error {
  const code = codeOf(error);
  const { responseCode, response } = answerOf(error);
  // RFC 3463: which rule of the server it was, such as 5.7.1.
  const rule = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
  const details = [code, responseCode, rule].filter((one) => one !== undefined && one !== '');
  const cause = CAUSES[code] ?? 'the mail cannot be sent';
  return new Error([`${cause}:`, ...details].join(' ').replace(/:$/, ''));
}

function answerOf(error: unknown): { responseCode?: number; response: string } {
  if (!(error instanceof Error)) return { response: '' };
  const code = 'responseCode' in error ? error.responseCode : undefined;
  const text = 'response' in error ? error.response : undefined;
  return {
    ...(typeof code === 'number' ? { responseCode: code } : {}),
    response: typeof text === 'string' ? text : '',
  };
}
