import { closeSync, fsyncSync, writeSync } from 'node:fs';
import { makeFolder } from '../../files/folder.js';
import { dirname } from 'node:path';
import { openToAppend } from '../../files/own-file.js';
import { correctionLine } from './correction-line.js';
import type { z } from 'zod';

/** A correction as it is put on record. */
export type NewCorrection = Readonly<z.input<typeof correctionLine>>;

export interface AppendCorrectionOptions {
  /** Path of the file of corrections. */
  readonly corrections: string;
  readonly correction: NewCorrection;
}

/**
 * Adds a correction to a file for its owner alone, and makes it if need be. It is on the disk when this returns. A
 * correction that gives the cell what it had takes an earlier one back.
 * @throws NotRegularError, and what the file system says
 */
export function appendCorrection({ corrections: file, correction }: AppendCorrectionOptions): void {
  makeFolder(dirname(file));
  const descriptor = openToAppend(file);
  try {
    writeSync(descriptor, `${JSON.stringify(correctionLine.parse(correction))}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
