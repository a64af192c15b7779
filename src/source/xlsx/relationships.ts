import { posix } from 'node:path';
import type { InputPlace } from '../../core/errors.js';
import type { Archive } from './zip/archive.js';
import { atEachTag, readAll, type Reader } from './xml/document.js';
import { fail } from './errors.js';
import { LIMITS } from './limits.js';
import { XmlScanner } from './xml/scanner.js';

export interface Relationship {
  readonly id: string;
  /** Last word of the type's address, the same in transitional and strict workbooks, such as `worksheet`. */
  readonly type: string;
  /** Name of the part that is meant. */
  readonly target: string;
}

/** The relationships of a part, or of the package for `''`; none when they are absent. External ones are left out. */
export async function readRelationships(
  archive: Archive,
  part: string,
  place: InputPlace,
): Promise<Relationship[]> {
  const { dir, base } = posix.parse(part);
  const name = posix.join(dir, '_rels', `${base}.rels`);
  if (!archive.has(name)) return [];
  const reader = new RelationshipsReader(dir, place);
  await readAll({ archive, name, kind: 'structure', place }, reader);
  return reader.found;
}

class RelationshipsReader implements Reader {
  readonly scanner = new XmlScanner();
  readonly found: Relationship[] = [];
  constructor(
    private readonly folder: string,
    private readonly place: InputPlace,
  ) {}

  run(): void {
    const { scanner } = this;
    atEachTag(scanner, () => {
      if (scanner.local === 'Relationship') this.add(scanner.attributes());
    });
  }

  private add(attributes: Map<string, string>): void {
    if (attributes.get('TargetMode')?.toLowerCase() === 'external') return;
    if (this.found.length >= LIMITS.entries)
      fail('too_large', 'the workbook has too many relationships.', this.place);
    this.found.push({
      id: attributes.get('Id') ?? '',
      type: (attributes.get('Type') ?? '').split('/').at(-1) ?? '',
      target: resolveTarget(attributes.get('Target') ?? '', this.folder),
    });
  }
}

/** A target is relative to the folder of its part, or to the package when it begins with a slash. */
export function resolveTarget(target: string, folder: string): string {
  const path = unescaped(target.trim()).replaceAll('\\', '/');
  return posix.join('/', path.startsWith('/') ? '' : folder, path).slice(1);
}

function unescaped(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    // A bare percent sign: the target is meant as it stands.
    return target;
  }
}
