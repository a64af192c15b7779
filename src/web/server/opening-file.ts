import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A private file that leads to the page. What opens a browser takes an address as an argument, which every user of the
 * machine can read; the path of this file is of no use to them. It lies beside the lists, since a browser in a container
 * of its own sees the person's folders, and neither hidden ones nor those of temporary files.
 */
export interface OpeningFile {
  readonly path: string;
  remove(): Promise<void>;
}

export async function writeOpeningFile(folder: string, address: string): Promise<OpeningFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `open-${process.pid}.html`);
  await rm(path, { force: true });
  const text = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>cardline</title><meta http-equiv="refresh" content="0; url=${address}">\n`;
  await writeFile(path, text, { mode: 0o600, flag: 'wx' });
  return { path, remove: () => rm(path, { force: true }) };
}
