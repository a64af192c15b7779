import type { ShownRequest } from '../../operations/operation.js';
import { printableJson } from '../../core/text.js';
import { print, printJson } from '../output/output.js';
import type { Terminal } from '../output/terminal.js';

/** A request for a person: method and address, and the body below. */
export function requestText({ method, url, body }: ShownRequest): string {
  const first = `${method} ${url}`;
  return body === undefined ? first : `${first}\n${printableJson(JSON.stringify(body, null, 2))}`;
}

/** Prints requests in place of sending them: for a program, one object, or a list of several. */
export async function printRequests(
  requests: readonly ShownRequest[],
  json: boolean,
  { stdout }: Pick<Terminal, 'stdout'>,
): Promise<void> {
  const shown = requests.length === 1 ? requests[0] : requests;
  if (json) await printJson(stdout, `${JSON.stringify(shown, null, 2)}\n`);
  else await print(stdout, `${requests.map(requestText).join('\n\n')}\n`);
}
