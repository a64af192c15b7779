import { readFileSync } from 'node:fs';

/** The same from `src/files`, `dist/files` and `dist/command`. */
const MANIFEST = new URL('../../package.json', import.meta.url);

/** Version of the package. */
export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  const known = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return known && typeof manifest.version === 'string' ? manifest.version : 'unknown';
}
