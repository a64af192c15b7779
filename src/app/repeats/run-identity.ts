import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { defined } from '../../core/defined.js';
import { type Installation, syncFields } from '../../installation/installation.js';
import { DEFAULT_RECOVERY } from '../../installation/recovery.js';
import type { RunIdentity } from '../../core/ledger.js';
import type { Corrections, SourceOptions } from '../../core/table.js';
import type { MappingDigests } from '../../mapping/load.js';
import type { CampaignSettings } from '../../pipeline/batch.js';
import type { Content } from './content.js';
import type { InputFile } from '../../prepare/plan.js';

interface IdentityRequest {
  readonly files: readonly InputFile[];
  readonly content: Content;
  /** Digests of the mapping as it was read, and of the tables that it looks up. */
  readonly digests: MappingDigests;
  /** What the command wants in place of the mapping; part of what the run is bound to. */
  readonly wanted: Readonly<Record<string, unknown>>;
  /** What the command says of how the files are read. */
  readonly source: SourceOptions;
  readonly installation: Installation;
  /** Whether another address than the installation's is used. */
  readonly elsewhere: boolean;
  readonly campaign: CampaignSettings | null;
  /** Cells in place of those of the files. */
  readonly corrections?: Corrections | undefined;
}

/** What a run over these inputs is bound to. Large inputs are not digested yet. */
export function identityOf(request: IdentityRequest): RunIdentity {
  const { files, installation, elsewhere, campaign, digests, source, corrections } = request;
  const { fingerprint, known } = request.content;
  return {
    inputs: files.map(({ path, name }) => (path === name ? resolve(path) : name)),
    content: known,
    ...defined({ fingerprint }),
    mapping: digestOf([digests.document, ...modeOptions(request.wanted)]),
    installation: centerOf(installation, elsewhere),
    campaignId: campaign?.id ?? null,
    parts: {
      'a lookup file of the mapping': digests.tables,
      '--sheet, --encoding or --delimiter': JSON.stringify(sorted(defined(source))),
      ...installationParts(installation, elsewhere),
      'the settings of the campaign': JSON.stringify(
        campaign && [campaign.maxCallCount, campaign.disableDuplicatePhonesValidation ?? null],
      ),
      // Absent without any, as in runs of earlier versions.
      ...(corrections ? { 'the list of corrections': correctionsDigest(corrections) } : {}),
    },
  };
}

/**
 * What of an installation decides what is sent and to whom, by the words for the person. Its limits, its transport and
 * its headers may change at any time.
 */
function installationParts(
  { name, baseUrl, card, clientRoles, recovery = DEFAULT_RECOVERY }: Installation,
  elsewhere: boolean,
): Record<string, string> {
  return {
    "the installation's name": name,
    "the installation's address (baseUrl)": elsewhere ? ELSEWHERE : baseUrl,
    "the installation's card": digestOf([JSON.stringify(card, withoutNames)]),
    "the installation's client roles": JSON.stringify(clientRoles ?? null),
    "the installation's recovery": JSON.stringify(recovery),
  };
}

/** What people call a field changes nothing of what is sent. */
const withoutNames = (key: string, value: unknown): unknown =>
  key === 'title' || key === 'aliases' ? undefined : value;

// The sandbox of a command has another port each time, and is the same contact center all the same.
const ELSEWHERE = 'another address';

/** What distinguishes a contact center: its name, its address and what identifies its clients. */
export function centerOf(installation: Installation, elsewhere: boolean): string {
  const address = elsewhere ? ELSEWHERE : installation.baseUrl;
  return [installation.name, address, ...syncFields(installation.card)].join(' ');
}

function digestOf(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  return hash.digest('hex');
}

/** Nothing where nothing is wanted: the digest is that of the mapping alone then. */
function modeOptions(wanted: IdentityRequest['wanted']): string[] {
  return Object.keys(wanted).length === 0 ? [] : [JSON.stringify(wanted)];
}

const sorted = (record: object): object => Object.fromEntries(Object.entries(record).sort());

/** The same for corrections that make the same rows, in whatever order their lines stand. */
function correctionsDigest({ cells }: Corrections): string {
  const texts = cells
    .map(({ input, sheet, row, column, becomes }) =>
      JSON.stringify([input, sheet, row, column, becomes]),
    )
    .sort();
  return createHash('sha256').update(texts.join('\n')).digest('hex');
}
