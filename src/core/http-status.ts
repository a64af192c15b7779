/** What a status code says of a request, whatever the body of its answer says. */
export type StatusMeaning =
  /** A status of its class that is not in the table. */
  | StatusClass
  /** Something in the body is wrong; in a batch it may be only some of its clients. */
  | 'invalid'
  /** Credentials are missing or wrong. */
  | 'unauthenticated'
  /** The credentials do not give the right to this. */
  | 'forbidden'
  | 'not_found'
  | 'wrong_method'
  /** The server gave up waiting for the request; it may have begun with it. */
  | 'timeout'
  /** The body is larger than the server takes. */
  | 'too_large'
  /** Turned away untouched; the same request may be sent later. */
  | 'busy'
  /** The server failed at its work, which may be done in part. */
  | 'failed'
  /** A gateway had no answer from the server behind it, which may have done the work. */
  | 'gateway';

/** The classes of RFC 9110. */
export type StatusClass =
  'informational' | 'success' | 'redirect' | 'client_error' | 'server_error';

/** The statuses that mean more than their class; no other file knows their numbers. */
const STATUSES: Readonly<Record<number, StatusMeaning>> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'wrong_method',
  408: 'timeout',
  413: 'too_large',
  422: 'invalid',
  429: 'busy',
  500: 'failed',
  502: 'gateway',
  503: 'busy',
  504: 'gateway',
};

/** The class of a status. Codes that no class has count as the nearest one. */
export function classOf(status: number): StatusClass {
  if (status < 200) return 'informational';
  if (status < 300) return 'success';
  if (status < 400) return 'redirect';
  return status < 500 ? 'client_error' : 'server_error';
}

/** What a status means; where no table entry says more, its class. */
export function meaningOf(status: number): StatusMeaning {
  return STATUSES[status] ?? classOf(status);
}

/** Whether some of the request may have been carried out before it failed. `undefined`: there was no answer. */
export function isServerError(status: number | undefined): boolean {
  return status !== undefined && classOf(status) === 'server_error';
}

/** Whether a status reports that something went wrong, on either side. */
export function isErrorStatus(status: number): boolean {
  const kind = classOf(status);
  return kind === 'client_error' || kind === 'server_error';
}
