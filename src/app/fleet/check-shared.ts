import { UsageError } from '../../core/errors.js';
import { isPostgresAddress } from '../../core/ledger.js';
import type { Installation } from '../../installation/installation.js';
import type { ImportRequest } from '../requests.js';
import { ledgerPath } from '../run/ledger-path.js';

/** Headers that usually hold a secret. */
const SECRET = /auth|cookie|token|secret|key|pass/i;

/** Refuses an import that machines cannot share. @throws UsageError */
export function checkShared(
  request: ImportRequest,
  { ledger, headers, transport }: Pick<Installation, 'ledger' | 'headers' | 'transport'>,
  removesMissing: boolean,
): void {
  if (!request.shared) {
    if (request.detach)
      throw new UsageError('--detach leaves an import to workers: give --shared as well.');
    return;
  }
  if (request.baseUrl !== undefined)
    throw new UsageError(
      'The sandbox of a command cannot be reached from other machines: leave --shared or --sandbox out.',
    );
  if (!isPostgresAddress(ledgerPath(request.ledger, { ...(ledger ? { ledger } : {}) })))
    throw new UsageError(
      'A run that machines share needs a ledger that all of them reach: give --ledger postgres://…',
    );
  if (removesMissing && request.detach)
    throw new UsageError(
      'With "delta: { missing: dequeue }", whoever shares a run removes clients from the campaign when it has ended: leave --detach out.',
    );
  for (const [name, value] of Object.entries(headers))
    if (SECRET.test(name) && !isPlaceholder(value)) throw asText(`The header ${name}`);
  const { proxy } = transport;
  const password = proxy === undefined ? '' : new URL(proxy).password;
  // In an address, the brace of a placeholder is written as its code.
  if (password !== '' && !isPlaceholder(password.replaceAll('%7B', '{'))) throw asText('The proxy');
}

const isPlaceholder = (text: string): boolean => text.includes('${');

const asText = (what: string): UsageError =>
  new UsageError(
    `${what} of the installation holds its secret as text, which would be kept in the database. Write a placeholder such as \${TOKEN}, and set it where workers run.`,
  );
