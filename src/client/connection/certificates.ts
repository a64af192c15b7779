import { createSecureContext, rootCertificates } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import type { ConfigMistake } from '../../core/errors.js';
import type { Transport } from '../../installation/installation.js';
import { NotRegularError, readSmallFileSync, TooLargeError } from '../../files/regular-file.js';

/** Certificates of a TLS connection, as node:tls takes them. Absent: the usual ones. */
export interface Certificates {
  readonly ca?: string[];
  readonly cert?: string;
  readonly key?: string;
}

export interface ReadCertificates {
  /** For the contact center: its own authority alone is trusted, and the client certificate is shown. */
  readonly center: Certificates;
  /** For a proxy: its own authority is trusted beside the usual ones. */
  readonly proxy: Certificates;
  readonly mistakes: readonly Omit<ConfigMistake, 'file'>[];
}

/** Reads the PEM files of an installation's transport and checks that they can be used together. */
export function readCertificates(transport: Transport): ReadCertificates {
  const mistakes: Omit<ConfigMistake, 'file'>[] = [];
  const [ca, cert, key] = (['caFile', 'certFile', 'keyFile'] as const).map((path) =>
    attempt(`transport.${path}`, mistakes, () => readPem(transport[path])),
  );
  attempt('transport.caFile', mistakes, () => (ca === undefined ? ca : new X509Certificate(ca)));
  if ((transport.certFile === undefined) !== (transport.keyFile === undefined)) {
    const message = 'certFile and keyFile belong together; give both.';
    mistakes.push({ path: 'transport', message });
  }
  const identity = cert !== undefined && key !== undefined ? { cert, key } : {};
  // Without authorities: to read all the usual ones takes longer than the rest of making a connection ready.
  if (cert !== undefined)
    attempt('transport.certFile', mistakes, () => createSecureContext({ ...identity, ca: [] }));
  return {
    center: { ...(ca !== undefined && { ca: [ca] }), ...identity },
    proxy: ca === undefined ? {} : { ca: [...rootCertificates, ca] },
    mistakes,
  };
}

/** All the authorities of a system take a quarter of a megabyte. */
const MAX_BYTES = 16 * 1024 * 1024;

function readPem(file: string | undefined): string | undefined {
  return file === undefined ? undefined : readSmallFileSync(file, MAX_BYTES).toString();
}

/** The reasons of the system and of OpenSSL are kept to their codes: the texts may quote the file. */
function attempt<T>(
  path: string,
  mistakes: Omit<ConfigMistake, 'file'>[],
  action: () => T,
): T | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof NotRegularError || error instanceof TooLargeError) {
      mistakes.push({ path, message: `${error.message}. It must be a PEM file.` });
      return undefined;
    }
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    mistakes.push({ path, message: `cannot be used${code}. It must be a PEM file.` });
    return undefined;
  }
}
