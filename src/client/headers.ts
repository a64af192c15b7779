import type { ConfigurationFault } from '../core/errors.js';
import type { Installation } from '../installation/installation.js';
import { substitute, type Environment } from './connection/environment.js';
import { USER_AGENT } from './connection/user-agent.js';

/** Headers in lower case, or what is wrong with them. */
export interface RequestHeaders {
  readonly headers: Readonly<Record<string, string>>;
  readonly faults: readonly Omit<ConfigurationFault, 'file'>[];
}

const STANDARD = {
  'content-type': 'application/json',
  accept: 'application/json',
  'accept-encoding': 'identity',
  'user-agent': USER_AGENT,
} as const;

/** Headers that describe the connection or the message; they belong to the transport. */
const OURS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const TOKEN = /^[!#$%&'*+.^`|~\w-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * The headers of every request: ours, then the installation's with `${NAME}` replaced from the environment. A fault
 * names the header and the variable, never a value.
 */
export function requestHeaders(
  { headers }: Pick<Installation, 'headers'>,
  env: Environment,
): RequestHeaders {
  const faults: Omit<ConfigurationFault, 'file'>[] = [];
  const entries = Object.entries(headers).map(([name, template]): [string, string] => {
    const { text, missing } = substitute(template, env);
    const message = nameFault(name) ?? missingFault(missing) ?? valueFault(text);
    if (message !== undefined) faults.push({ path: `headers.${name}`, message });
    return [name.toLowerCase(), text];
  });
  return { headers: { ...STANDARD, ...Object.fromEntries(entries) }, faults };
}

function nameFault(name: string): string | undefined {
  if (!TOKEN.test(name)) return 'is not a name that a header can have.';
  return OURS.has(name.toLowerCase()) ? 'is set by cardline itself; leave it out.' : undefined;
}

export function missingFault(missing: readonly string[]): string | undefined {
  if (missing.length === 0) return undefined;
  const names = missing.join(', ');
  return `needs ${names} from the environment, which is not set. Set it, or leave this out.`;
}

function valueFault(text: string): string | undefined {
  return VALUE.test(text)
    ? undefined
    : 'holds a character that a header must not have, such as a line break.';
}
