import { defined } from '../core/text.js';
import { CardlineError } from '../core/errors.js';
import type { Installation } from '../installation/installation.js';
import type { MappingFacts } from '../prepare/plan.js';
import { compareWindow } from '../calling/week-hours.js';
import type { CheckRequest } from './requests.js';
import type { FoundCampaign } from './campaigns.js';
import { connect } from 'node:net';
import { substitute } from '../files/placeholders.js';

/** Says where a campaign calls outside the hours of the mapping. */
export function warnOfWindow(
  { sections }: Pick<MappingFacts, 'sections'>,
  { listed }: FoundCampaign,
  warn: ((message: string) => void) | undefined,
): void {
  const callable = 'callable' in sections ? sections.callable : undefined;
  if (!callable || !listed) return;
  for (const message of compareWindow(`Campaign ${listed.id}`, listed, callable.hours))
    warn?.(message);
}

/** How long a check waits for the contact center: it sends nothing, and can do without. */
const PATIENCE_MS = 5000;

/**
 * Compares the hours of the campaign of a check with those of the mapping, where the contact center can be asked. What
 * keeps it from that is said, and is no reason to stop.
 */
export async function checkWindow(
  request: CheckRequest,
  mapping: MappingFacts,
  installation: Installation | undefined,
): Promise<void> {
  const { comparesCampaign = false, campaign, env = process.env, onWarning, signal } = request;
  const named = campaign?.id ?? campaign?.name ?? mapping.campaign?.id ?? mapping.campaign?.name;
  const hasHours = 'callable' in mapping.sections && mapping.sections.callable !== undefined;
  if (!comparesCampaign || !installation || !hasHours || named === undefined) return;
  const notCompared = (why: string): void =>
    onWarning?.(`The hours of campaign ${named} were not compared with callable: ${why}`);
  if (!(await canBeReached(installation, env))) {
    notCompared('the contact center cannot be reached.');
    return;
  }
  // Nearly no check asks: what it takes to ask is loaded where one does.
  const { connect } = await import('./connect.js');
  const { campaignQuestion, resolveCampaign } = await import('./campaigns.js');
  const asking = {
    installation: request.installation ?? '',
    giveUpAfterMs: PATIENCE_MS,
    ...{ env },
    ...defined({ signal }),
  };
  try {
    const connection = connect(asking, installation);
    try {
      const question = campaignQuestion(asking, installation, connection);
      const found: FoundCampaign = {};
      await resolveCampaign(question, campaign, mapping.campaign, found);
      warnOfWindow(mapping, found, onWarning);
    } finally {
      await connection.center.close();
    }
  } catch (error) {
    if (!(error instanceof CardlineError)) throw error;
    notCompared(error.message);
  }
}

/** Longest time for the connection, in milliseconds: it only decides which command is proposed. */
const REACHING_MS = 500;

/**
 * Whether an import could begin now: the variables of the headers are set, and something takes connections at the
 * address, or at the proxy before it. Nothing is sent.
 */
export async function canBeReached(
  { baseUrl, headers, transport }: Pick<Installation, 'baseUrl' | 'headers' | 'transport'>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const { proxy = baseUrl } = transport;
  const texts = [...Object.values(headers), proxy].map((text) => substitute(text, env));
  if (texts.some(({ missing }) => missing.length > 0)) return false;
  const url = texts.at(-1)?.text ?? baseUrl;
  return URL.canParse(url) && takesConnections(new URL(url));
}

function takesConnections({ hostname, port, protocol }: URL): Promise<boolean> {
  const usual = protocol === 'https:' ? 443 : 80;
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? usual : Number(port),
    timeout: REACHING_MS,
  });
  return new Promise<boolean>((resolve) => {
    socket
      .on('connect', () => resolve(true))
      .on('error', () => resolve(false))
      .on('timeout', () => resolve(false));
  }).finally(() => socket.destroy());
}
