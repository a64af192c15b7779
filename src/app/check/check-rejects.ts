import type { PreparedChunk } from '../../core/prepared.js';
import { OutputError } from '../../report/files/output-error.js';
import { problemText } from '../../report/text/problem-text.js';
import type { RejectsWriter } from '../../report/rejects/rejects-writer.js';
import type { Preparation } from '../../prepare/plan.js';
import { rejectsPath } from '../run/result/rejects-name.js';
import { rejectsWriter } from '../run/result/rejects.js';

/** The rejects of a check, one file for each input that has any. */
export interface CheckRejects {
  write(chunk: PreparedChunk): Promise<void>;
  /** Resolves with the paths of the files written, and with why another one could not be. */
  close(): Promise<{ readonly files: string[]; readonly failure?: OutputError }>;
  /** Forgets what was written: the check does not come to its end. */
  discard(): Promise<void>;
}

/** Writes the rejected rows as they come, since the chunks bring their cells. `out`: folder of the files. */
export function createCheckRejects({ inputs }: Preparation, out: string): CheckRejects {
  const written: string[] = [];
  let open: { index: number; file: string; writer: RejectsWriter } | undefined;
  let failure: OutputError | undefined;
  /** The check goes on where nothing can be written: what it finds is worth as much without the files. */
  const orNote = async (writing: Promise<void>): Promise<void> => {
    try {
      await writing;
    } catch (error) {
      if (!(error instanceof OutputError)) throw error;
      failure = error;
      await open?.writer.discard();
    }
  };
  const end = async (): Promise<void> => {
    if (open && (await open.writer.close()) > 0) written.push(open.file);
    open = undefined;
  };
  /** Chunks come in the order of the inputs: the rejects of the one before are whole. */
  const writerOf = async (index: number): Promise<RejectsWriter | undefined> => {
    const input = inputs[index];
    if (!input) return undefined;
    if (open?.index === index) return open.writer;
    await end();
    const file = rejectsPath(out, input, index, inputs.length);
    open = { index, file, writer: await rejectsWriter(file, input) };
    return open.writer;
  };
  const write = async (chunk: PreparedChunk): Promise<void> => {
    const writer = await writerOf(chunk.input);
    for (const { cells, problems } of chunk.kept)
      await writer?.write(cells, 'rejected', problemText(problems));
  };
  return {
    write: async (chunk) => {
      if (chunk.kept.length > 0 && !failure) await orNote(write(chunk));
    },
    close: async () => {
      if (!failure) await orNote(end());
      return { files: written, ...(failure ? { failure } : {}) };
    },
    discard: async () => {
      await open?.writer.discard();
    },
  };
}
