import type { ArrivedFile } from './place.js';

/** A file as it was first seen in this state. */
export interface Sighting {
  readonly size: number;
  readonly version: string;
  /** By a clock that only goes forward, in milliseconds. */
  readonly since: number;
}

/** What has been seen of the files of a place; `now` by the same clock. A file that has changed begins anew. */
export function sightings(
  before: ReadonlyMap<string, Sighting>,
  files: readonly ArrivedFile[],
  now: number,
): ReadonlyMap<string, Sighting> {
  return new Map(
    files.map(({ name, size, version }) => {
      const known = before.get(name);
      const isSame = known?.size === size && known.version === version;
      return [name, isSame ? known : { size, version, since: now }] as const;
    }),
  );
}

/** Whether a file has been the same for so long. An empty one may be about to be written, and waits as well. */
export const isStable = (seen: Sighting | undefined, stableMs: number, now: number): boolean =>
  seen !== undefined && now - seen.since >= stableMs;

/** The SHA-256 that a manifest has for a file, as `sha256sum` writes it; alone, it is the file's whatever its name. */
export function digestIn(manifest: string, name: string): string | undefined {
  for (const line of manifest.split(/\r?\n/)) {
    const [, digest, named] = /^\\?([0-9a-f]{64})(?:\s+\*?(?:.*\/)?([^/]+))?\s*$/i.exec(line) ?? [];
    if (digest !== undefined && (named === undefined || named.normalize() === name.normalize()))
      return digest.toLowerCase();
  }
  return undefined;
}
