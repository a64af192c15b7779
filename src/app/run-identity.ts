import { createHash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Installation, syncFields } from '../core/installation.js';
import type { RunIdentity } from '../core/ledger.js';
import type { InputFile } from './prepare/plan.js';

/** Files up to this size are digested whole: a fraction of a second. */
const WHOLE_BYTES = 512 * 1024 * 1024;
/** Of a larger file, so many pieces of so many bytes, evenly spread, its first and last among them. */
const PIECES = 256;
const PIECE_BYTES = 1024 * 1024;

export interface IdentityRequest {
  readonly files: readonly InputFile[];
  /** Path of the mapping file. */
  readonly mapping: string;
  /** What the command wants in place of the mapping; part of what the run is bound to. */
  readonly wanted: Readonly<Record<string, unknown>>;
  readonly installation: Installation;
  /** Whether another address than the installation's is used. */
  readonly elsewhere: boolean;
  readonly campaignId: number | null;
}

/** What a run over these inputs is bound to. */
export async function identityOf(request: IdentityRequest): Promise<RunIdentity> {
  const { files, installation, elsewhere, campaignId } = request;
  const content = createHash('sha256');
  for (const { path } of files) content.update(await digestOf(path));
  return {
    inputs: files.map(({ path, name }) => (path === name ? resolve(path) : name)),
    content: content.digest('hex'),
    mapping: createHash('sha256')
      .update(await readFile(request.mapping))
      .update(wishes(request.wanted))
      .digest('hex'),
    installation: centerOf(installation, elsewhere),
    campaignId,
  };
}

/** What tells a contact center apart: its name, its address and what identifies its clients. */
export function centerOf(installation: Installation, elsewhere: boolean): string {
  // The sandbox of a command has another port each time, and is the same contact center all the same.
  const address = elsewhere ? 'another address' : installation.baseUrl;
  return [installation.name, address, ...syncFields(installation.card)].join(' ');
}

/** Nothing where nothing is wanted: the digest is that of the mapping file then. */
function wishes(wanted: IdentityRequest['wanted']): string {
  return Object.keys(wanted).length === 0 ? '' : JSON.stringify(wanted);
}

/** SHA-256 of a file; of a very large one, of its size and samples. */
async function digestOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const hash = createHash('sha256').update(`${size} `);
    const step =
      size <= WHOLE_BYTES ? PIECE_BYTES : Math.floor((size - PIECE_BYTES) / (PIECES - 1));
    const buffer = Buffer.allocUnsafe(PIECE_BYTES);
    for (let at = 0; at < size; at += step) {
      const { bytesRead } = await file.read(buffer, 0, PIECE_BYTES, at);
      hash.update(buffer.subarray(0, bytesRead));
    }
    return hash.digest();
  } finally {
    await file.close();
  }
}
