import { AtomicFile, orDiscard } from './atomic-file.js';

/**
 * Writes pieces of text into a file that appears complete or not at all.
 * @throws OutputError when it cannot be written
 */
export async function writePieces(file: string, pieces: Iterable<string>): Promise<void> {
  const target = await AtomicFile.open(file);
  await orDiscard(target, async () => {
    for (const piece of pieces) await target.write(piece);
    await target.commit();
  });
}
