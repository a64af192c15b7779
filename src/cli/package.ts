import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Path of a file of the package itself, such as a sample: the same from `src/cli` and `dist/cli`. */
export function packagePath(name: string): string {
  return fileURLToPath(new URL(`../../${name}`, import.meta.url));
}

/** Version of the package. Not that of `files/`, which would be one more file to load for it. */
export function packageVersion(): string {
  const text: unknown = JSON.parse(readFileSync(packagePath('package.json'), 'utf8'));
  const known = typeof text === 'object' && text !== null && 'version' in text;
  return known && typeof text.version === 'string' ? text.version : 'unknown';
}
