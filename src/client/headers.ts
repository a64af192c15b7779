import type { ConfigMistake } from '../core/errors.js';
import type { Installation } from '../installation/installation.js';
import { missingText, substitute, type Environment } from '../files/placeholders.js';
import { packageVersion } from '../files/package-version.js';

/** Headers in lower case, or what is wrong with them. */
interface RequestHeaders {
  readonly headers: Readonly<Record<string, string>>;
  readonly mistakes: readonly Omit<ConfigMistake, 'file'>[];
}

/** What the client calls itself: `cardline/<version>`. */
export const USER_AGENT = `cardline/${packageVersion()}`;

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
 * The headers of every request: ours, then the installation's with their placeholders replaced. A mistake names the header
 * and the placeholder, never a value.
 */
export function requestHeaders(
  { headers }: Pick<Installation, 'headers'>,
  env: Environment,
): RequestHeaders {
  const mistakes: Omit<ConfigMistake, 'file'>[] = [];
  const entries = Object.entries(headers).map(([name, template]): [string, string] => {
    const { text, missing } = substitute(template, env);
    const message = nameMistake(name) ?? missingText(missing) ?? valueMistake(text);
    if (message !== undefined) mistakes.push({ path: `headers.${name}`, message });
    return [name.toLowerCase(), text];
  });
  return { headers: { ...STANDARD, ...Object.fromEntries(entries) }, mistakes };
}

/** What headers and proxy name and nobody has set, as it stands in their placeholders. */
export const missingSecrets = (
  { headers, transport }: Pick<Installation, 'headers' | 'transport'>,
  env: Environment,
): string[] => [
  ...new Set(
    [...Object.values(headers), transport.proxy ?? ''].flatMap(
      (text) => substitute(text, env).missing,
    ),
  ),
];

function nameMistake(name: string): string | undefined {
  if (!TOKEN.test(name)) return 'is not a name that a header can have.';
  return OURS.has(name.toLowerCase()) ? 'is set by cardline itself; leave it out.' : undefined;
}

function valueMistake(text: string): string | undefined {
  return VALUE.test(text)
    ? undefined
    : 'holds a character that a header must not have, such as a line break.';
}
