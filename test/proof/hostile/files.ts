import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { denseParts, gzipFiles, lyingContainers, otherFiles } from './archives.js';
import { csvFiles, floodedCsv } from './csv.js';
import { type HostileFile, type Random, upTo } from './make.js';
import {
  largeSheets,
  wickedCells,
  wickedRelationships,
  wickedSheets,
  wickedXml,
} from './workbooks.js';

const CORPORA = fileURLToPath(new URL('../../../../shared/corpora/', import.meta.url));

/** Files of other projects, some of them broken on purpose; none when they are not beside the repository. */
const corpora = (): HostileFile[] =>
  ['csv-spectrum', 'xlsx/poi', 'xlsx/calamine'].flatMap((folder) => {
    const path = join(CORPORA, folder);
    if (!existsSync(path)) return [];
    const names = readdirSync(path).filter((name) => !name.endsWith('.json'));
    return names.map((name): HostileFile => ({
      name: `${folder}/${name}`,
      content: () => [readFileSync(join(path, name))],
      table: 'any',
    }));
  });

/** All files. */
export const hostileFiles = (random: Random): HostileFile[] => [
  ...csvFiles(),
  ...gzipFiles(random),
  ...otherFiles(random),
  ...lyingContainers(),
  ...wickedXml(),
  ...wickedRelationships(),
  ...wickedSheets(),
  ...wickedCells(),
  ...largeSheets(),
  ...denseParts(random),
  ...floodedCsv(),
  ...corpora(),
];

/** A few of them, for every day: a text, a container and a workbook. */
export function selection(random: Random): HostileFile[] {
  const kinds = [csvFiles(), lyingContainers(), wickedSheets()];
  return kinds.flatMap((files) => files[upTo(random, files.length)] ?? []);
}
