import type { ShownRequest } from '../../app/operations/operation.js';

/** A request for a person: method and address, and the body below. */
export function requestText({ method, url, body }: ShownRequest): string {
  const first = `${method} ${url}`;
  return body === undefined ? first : `${first}\n${JSON.stringify(body, null, 2)}`;
}

/** Requests as they are printed in place of being sent: for a program, one object, or a list of several. */
export function requestsText(requests: readonly ShownRequest[], json: boolean): string {
  if (!json) return `${requests.map(requestText).join('\n\n')}\n`;
  return `${JSON.stringify(requests.length === 1 ? requests[0] : requests, null, 2)}\n`;
}
