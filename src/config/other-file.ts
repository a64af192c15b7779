import { ConfigurationError } from '../core/errors.js';
import type { PlacedDocument } from './document.js';

const WORDS = {
  mapping: {
    message: 'this is an installation file, not a mapping.',
    suggestion: 'Give it with -i, and the mapping with -m.',
  },
  installation: {
    message: 'this is a mapping, not an installation file.',
    suggestion: 'Give it with -m, and the installation file with -i.',
  },
} as const;

/**
 * Refuses a mapping where an installation file is wanted, and the reverse: against the wrong schema, every line of it
 * would be a mistake.
 * @throws ConfigurationError
 */
export function refuseOtherFile(
  { file, value }: PlacedDocument,
  wanted: 'mapping' | 'installation',
): void {
  if (typeof value !== 'object' || value === null) return;
  const isInstallation = 'baseUrl' in value || 'card' in value;
  const isMapping = 'client' in value;
  if (isInstallation === isMapping) return;
  if (isInstallation === (wanted === 'installation')) return;
  throw new ConfigurationError([{ file, ...WORDS[wanted] }]);
}
