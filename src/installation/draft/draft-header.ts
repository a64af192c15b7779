import { UsageError } from '../../core/errors.js';

/** A header of every request: its value holds credentials as `${NAME}` alone. */
export interface DraftHeader {
  readonly name: string;
  readonly value: string;
}

/** Headers whose values are credentials, whatever they look like. */
const OF_CREDENTIALS = /auth|token|key|secret|cookie|passw|session|credential|signature/i;
const PLACEHOLDER = /\$\{[A-Za-z_]\w*\}/;
/** A placeholder, also as `name=${NAME}`, in quotes or with a sign around it. */
const HOLDS_NO_SECRET = /^([\w.-]+=)?["']?\$\{[A-Za-z_]\w*\}(:\$\{[A-Za-z_]\w*\})?["']?$/;
/** How the first word of a value names the kind of credentials. */
const SCHEME = /^[A-Za-z][A-Za-z-]{0,19}$/;
/** Long text of letters and digits without a space: nobody types such a value except to prove who they are. */
const LOOKS_SECRET = /(?=\S*\d)(?=\S*[A-Za-z])[\w.~+/=-]{16,}/;

/**
 * Reads a header as a person writes it: `Authorization: Bearer ${CC_TOKEN}`.
 * @throws UsageError when it is no header, or holds a credential itself; the message does not repeat the value
 */
export function draftHeader(text: string): DraftHeader {
  const at = text.indexOf(':');
  const name = text.slice(0, Math.max(0, at)).trim();
  const value = text.slice(at + 1).trim();
  if (name === '' || value === '')
    throw new UsageError(
      "--header takes a name and a value, such as 'Authorization: Bearer ${CC_TOKEN}'.",
    );
  if (holdsCredential(name, value)) throw new UsageError(refusal(name, value));
  return { name, value };
}

function holdsCredential(name: string, value: string): boolean {
  if (!OF_CREDENTIALS.test(name)) return LOOKS_SECRET.test(value.replace(PLACEHOLDER, ''));
  const parts = value.split(/[\s;,]+/).filter((part) => part !== '');
  const behindScheme = parts.length > 1 && SCHEME.test(parts[0] ?? '') ? parts.slice(1) : parts;
  return !behindScheme.every((part) => HOLDS_NO_SECRET.test(part));
}

function refusal(name: string, value: string): string {
  const scheme = /^(Basic|Bearer|Digest|Token|ApiKey|JWT|OAuth)(?=\s|$)/i.exec(value)?.[1];
  const example = `${name}: ${scheme === undefined ? '' : `${scheme} `}\${CC_TOKEN}`;
  return `--header: the value of ${name} holds a credential, which must not stand in a file. Put it into a variable of the environment, such as CC_TOKEN, and name that in single quotes, so that your shell leaves it alone: --header '${example}'`;
}
