import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zip } from '../../kit/zip.js';
import { denseSheets, zipBombs } from './bomb-files.js';
import { usualParts } from './book.js';
import { largeSheets, wickedCells } from './cell-files.js';
import { damagedContainers, lyingContainers } from './container-files.js';
import { encodedCsv, quotesCsv, wickedCells as wickedCsvCells } from './csv-content.js';
import { damagedCsv, extremeCsv, floodedCsv } from './csv-files.js';
import { type Random, upTo } from './damage.js';
import type { HostileFile } from './file.js';
import { gzipFiles } from './gzip-files.js';
import { otherFiles } from './other-files.js';
import { wickedRelationships, wickedSheets } from './part-files.js';
import { wickedXml } from './xml-files.js';

const CORPORA = fileURLToPath(new URL('../../../../shared/corpora/', import.meta.url));

/** Files of other projects, some of them broken on purpose; none when they are not beside the repository. */
function corpora(): HostileFile[] {
  return ['csv-spectrum', 'xlsx/poi', 'xlsx/calamine'].flatMap((folder) => {
    const path = join(CORPORA, folder);
    if (!existsSync(path)) return [];
    return readdirSync(path)
      .filter((name) => !name.endsWith('.json'))
      .map((name): HostileFile => ({
        name: `${folder}/${name}`,
        content: () => [readFileSync(join(path, name))],
        table: 'any',
      }));
  });
}

/** All files; the damage follows from the random numbers. */
export function hostileFiles(random: Random): HostileFile[] {
  return [
    ...damagedCsv(random),
    ...extremeCsv(),
    ...quotesCsv(),
    ...encodedCsv(),
    ...wickedCsvCells(),
    ...gzipFiles(random, zip(usualParts(20))),
    ...otherFiles(random),
    ...damagedContainers(random),
    ...lyingContainers(),
    ...wickedXml(),
    ...wickedRelationships(),
    ...wickedSheets(),
    ...wickedCells(),
    ...largeSheets(),
    ...zipBombs(),
    ...denseSheets(random),
    ...floodedCsv(),
    ...corpora(),
  ];
}

/** A few of them, for every day: a text, a container and a workbook. */
export function selection(random: Random): HostileFile[] {
  const kinds = [damagedCsv(random), damagedContainers(random), [...wickedSheets(), ...zipBombs()]];
  return kinds.flatMap((files) => files[upTo(random, files.length)] ?? []);
}
