import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { defined } from '../core/defined.js';
import { type Installation, syncFields } from '../core/installation.js';
import type { RunIdentity } from '../core/ledger.js';
import type { Content } from './content.js';
import type { InputFile } from './prepare/plan.js';

export interface IdentityRequest {
  readonly files: readonly InputFile[];
  readonly content: Content;
  /** Path of the mapping file. */
  readonly mapping: string;
  /** What the command wants in place of the mapping; part of what the run is bound to. */
  readonly wanted: Readonly<Record<string, unknown>>;
  readonly installation: Installation;
  /** Whether another address than the installation's is used. */
  readonly elsewhere: boolean;
  readonly campaignId: number | null;
}

/** What a run over these inputs is bound to. Large inputs are not digested yet. */
export async function identityOf(request: IdentityRequest): Promise<RunIdentity> {
  const { files, installation, elsewhere, campaignId } = request;
  const { glance, known } = request.content;
  return {
    inputs: files.map(({ path, name }) => (path === name ? resolve(path) : name)),
    content: known,
    ...defined({ glance }),
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
