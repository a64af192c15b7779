import { isPostgresAddress } from '../core/ledger.js';
import { dirname, resolve } from 'node:path';
import { type PlacedDocument, readDocument } from '../config/document.js';
import { checkDocument, refuseOtherFile } from '../config/check-document.js';
import { defined } from '../core/text.js';
import type { Installation } from './installation.js';
import { installationSchema } from './schema.js';

/**
 * Reads an installation file (YAML or JSON) and fills in the defaults. `${NAME}` in header values stays as it is.
 * File names are taken relative to the installation file.
 * @throws ConfigurationError with every mistake: file, line, column, and what would be right.
 */
export async function loadInstallation(file: string): Promise<Installation> {
  return checkInstallation(await readDocument(file));
}

/**
 * The same for a file that has been read, or is about to be written.
 * @throws ConfigurationError as `loadInstallation` does
 */
export function checkInstallation(document: PlacedDocument): Installation {
  refuseOtherFile(document, 'installation');
  const { ledger, suppress, numberPlan, transport, ...rest } = checkDocument(
    document,
    installationSchema,
  );
  const { $schema: _, ...read } = rest;
  const folder = dirname(document.file);
  const inFolder = (name: string | undefined) =>
    name === undefined ? undefined : resolve(folder, name);
  return {
    ...read,
    transport: {
      ...transport,
      caFile: inFolder(transport.caFile),
      certFile: inFolder(transport.certFile),
      keyFile: inFolder(transport.keyFile),
    },
    ...defined({
      ledger: ledger !== undefined && isPostgresAddress(ledger) ? ledger : inFolder(ledger),
      numberPlan: numberPlan && {
        ...numberPlan,
        file: resolve(folder, numberPlan.file),
        regions: resolve(folder, numberPlan.regions),
      },
      suppress: suppress?.map((list) =>
        'store' in list
          ? { ...list, store: resolve(folder, list.store) }
          : { ...list, file: resolve(folder, list.file) },
      ),
    }),
  };
}
