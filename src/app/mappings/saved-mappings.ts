import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError, codeOf } from '../../core/errors.js';
import { readText } from '../../config/document.js';
import { writePieces } from '../../report/files/text-file.js';

/** The mappings that belong to an installation: `mappings/<name>.yaml` beside its file, where the command line finds them. */
export const mappingsFolder = (installationFile: string): string =>
  join(dirname(installationFile), 'mappings');

const ENDING = '.yaml';
/** Letters, digits, spaces and a few signs; neither a path nor a hidden file, nor a name that Windows trims. */
const NAME = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} _.()-]{0,98}[\p{L}\p{M}\p{N}_()-])?$/u;
/** Names that Windows takes for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Names of the mappings in a folder, in the order of their letters; none where there is no folder. */
export async function savedMappings(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(ENDING))
    .map(({ name }) => name.slice(0, -ENDING.length))
    .filter(isSafeName)
    .sort((a, b) => a.localeCompare(b));
}

/**
 * The text of a saved mapping, with mistakes or without.
 * @throws UsageError for a name that no mapping has, ConfigurationError when it cannot be read
 */
export async function savedMapping(folder: string, name: string): Promise<string> {
  return readText(mappingFile(folder, name));
}

/**
 * Saves a mapping under a name, complete or not at all, in the place of the one that has the name. Its owner alone may
 * read it: a value map holds words of clients.
 * @returns the path of the file
 * @throws UsageError for a name that no file can have, OutputError when it cannot be written
 */
export async function saveMapping(folder: string, name: string, yaml: string): Promise<string> {
  const file = mappingFile(folder, name);
  await writePieces(file, [yaml]);
  return file;
}

/** The file of a mapping. @throws UsageError for a name that leads elsewhere */
export function mappingFile(folder: string, name: string): string {
  if (!isSafeName(name))
    throw new UsageError(
      'A mapping is named with letters, digits, spaces and _ . - ( ), at most 100, and begins with a letter or digit.',
    );
  return join(folder, name + ENDING);
}

const isSafeName = (name: string): boolean => NAME.test(name) && !DEVICE.test(name);
