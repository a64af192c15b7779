import type { PreparedChunk } from '../core/prepared.js';
import { problemText } from '../report/problem-text.js';
import type { RejectsWriter } from '../report/rejects-writer.js';
import type { Preparation } from './prepare/plan.js';
import { rejectsPath, rejectsWriter } from './rejects.js';

/** The rejects of a check, one file for each input that has any. */
export interface CheckRejects {
  write(chunk: PreparedChunk): Promise<void>;
  /** Resolves with the paths of the files written. */
  close(): Promise<string[]>;
  /** Forgets what was written: the check does not come to its end. */
  discard(): Promise<void>;
}

/** Writes the rejected rows as they come, since the chunks bring their cells. `out`: folder of the files. */
export function createCheckRejects({ inputs }: Preparation, out: string): CheckRejects {
  const writers = new Map<number, { file: string; writer: RejectsWriter }>();
  const writerOf = (index: number): RejectsWriter | undefined => {
    const input = inputs[index];
    if (!input) return undefined;
    const file = rejectsPath(out, input, index, inputs.length);
    const open = writers.get(index) ?? { file, writer: rejectsWriter(file, input) };
    writers.set(index, open);
    return open.writer;
  };
  return {
    write: async (chunk) => {
      if (chunk.kept.length === 0) return;
      const writer = writerOf(chunk.input);
      for (const { cells, problems } of chunk.kept)
        await writer?.write(cells, 'rejected', problemText(problems));
    },
    close: async () => {
      const files: string[] = [];
      for (const { file, writer } of writers.values())
        if ((await writer.close()) > 0) files.push(file);
      return files;
    },
    discard: async () => {
      for (const { writer } of writers.values()) await writer.discard();
    },
  };
}
