import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from '../../core/errors.js';
import { OutputError } from '../../report/files/output-error.js';
import { writePieces } from '../../report/files/text-file.js';

/** The last line of a draft: as long as it holds, nobody has changed the file. */
const MARK = /(?<=\n)# draft [0-9a-f]{16}\n?$/;

/**
 * Writes a drafted mapping to a file. One that is there is replaced only where it is a draft that nobody has changed.
 * @throws UsageError when somebody's work would be lost, OutputError when it cannot be written
 */
export async function writeDraft(path: string, yaml: string): Promise<void> {
  const file = resolve(path);
  if (await holdsWork(file))
    throw new UsageError(
      `${file} is there, and is no draft that was left as it was. Give another name, or remove it first.`,
    );
  await writePieces(file, [
    yaml,
    `${markOf(yaml)}
`,
  ]);
}

const markOf = (yaml: string): string =>
  `# draft ${createHash('sha256').update(yaml).digest('hex').slice(0, 16)}`;

async function holdsWork(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new OutputError(file, error);
  });
  if (text === null) return false;
  const mark = MARK.exec(text);
  return mark === null || mark[0].trimEnd() !== markOf(text.slice(0, mark.index));
}
