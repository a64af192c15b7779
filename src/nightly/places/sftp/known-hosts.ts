import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** A line of a file of known hosts, as OpenSSH writes it (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT). */
interface KnownHost {
  readonly isRevoked: boolean;
  readonly hosts: string;
  readonly type: string;
  /** The key in base64. */
  readonly key: string;
}

/** What is known of the key that a host shows. */
export type HostKeyVerdict = 'known' | 'unknown' | 'changed' | 'revoked';

/** How a host is called in such a file. */
export const hostName = (host: string, port: number): string =>
  port === 22 ? host : `[${host}]:${port}`;

/** The types of the keys that are known of a host, so that it is asked for one of them. */
export function knownTypes(text: string, host: string): string[] {
  const types = linesOf(text, host).flatMap(({ type, isRevoked }) => (isRevoked ? [] : [type]));
  return [...new Set(types)];
}

/** Compares the key that a host shows with those that are known of it. */
export function verdictOnKey(text: string, host: string, key: Buffer): HostKeyVerdict {
  const lines = linesOf(text, host);
  const shown = key.toString('base64');
  const same = lines.filter((line) => line.key === shown);
  if (same.some(({ isRevoked }) => isRevoked)) return 'revoked';
  if (same.length > 0) return 'known';
  return lines.some(({ isRevoked }) => !isRevoked) ? 'changed' : 'unknown';
}

/** As ssh-keygen -l shows it. */
export const fingerprintOf = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;

const linesOf = (text: string, host: string): KnownHost[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const known = parsed(line);
    return known !== null && isFor(known.hosts, host.toLowerCase()) ? [known] : [];
  });

function parsed(line: string): KnownHost | null {
  const words = line.trim().split(/\s+/);
  if (line.trim() === '' || line.trim().startsWith('#')) return null;
  const marker = words[0]?.startsWith('@') === true ? words.shift() : undefined;
  // What an authority has signed is not checked here.
  if (marker !== undefined && marker !== '@revoked') return null;
  const [hosts, type, key] = words;
  if (hosts === undefined || type === undefined || key === undefined) return null;
  return { hosts, type, key: key.replace(/=*$/, padding), isRevoked: marker === '@revoked' };
}

const padding = (_: string, at: number): string => '='.repeat((4 - (at % 4)) % 4);

function isFor(hosts: string, host: string): boolean {
  if (hosts.startsWith('|1|')) return isHashOf(hosts, host);
  const patterns = hosts.toLowerCase().split(',');
  if (patterns.some((one) => one.startsWith('!') && fits(one.slice(1), host))) return false;
  return patterns.some((one) => fits(one, host));
}

function isHashOf(hashed: string, host: string): boolean {
  const [, , salt = '', hash = ''] = hashed.split('|');
  const own = createHmac('sha1', Buffer.from(salt, 'base64')).update(host).digest();
  const wanted = Buffer.from(hash, 'base64');
  return own.length === wanted.length && timingSafeEqual(own, wanted);
}

function fits(pattern: string, host: string): boolean {
  const expression = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${expression}$`).test(host);
}
