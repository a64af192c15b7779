import { access, constants, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf, CardlineError, type ConfigMistake } from '../../core/errors.js';
import { examine } from '../../setup/doctor.js';
import { loadInstallation } from '../../installation/installation.js';
import { loadMapping } from '../../mapping/mapping.js';
import { readTable } from '../../source/source.js';
import { arePartsRight, type PickupFile, readPickups } from '../pickup/load.js';
import type { Pickup, Secrets } from '../pickup/schema.js';
import { requestFor } from './verdict.js';
import { openPlace } from '../places/open-place.js';
import { type Place, NOTHING_KEPT } from '../places/place.js';

/** What was found of a place, or of what a pickup is imported into. */
interface PlaceFinding {
  /** Name of the pickup, or `metrics`. */
  readonly pickup: string;
  readonly place: string;
  /** Why it cannot be used, in words; `null` when it can. */
  readonly mistake: string | null;
  /** What else is to be known of it. */
  readonly note: string | null;
}

/**
 * Looks at a pickup file, its mappings and installations, whether its places can be read and written, and whether the
 * contact center answers and has the campaigns and the roles. Takes nothing.
 * @throws ConfigurationError where the file itself is no pickup file
 */
export async function checkPickups(
  file: string,
  secrets: Secrets,
  signal: AbortSignal,
): Promise<{ readonly found: PlaceFinding[]; readonly mistakes: readonly ConfigMistake[] }> {
  const { settings, mistakes } = await readPickups(file, secrets);
  const { pickups, work, metrics, state } = settings;
  const places = await Promise.all(
    pickups.map(async (pickup): Promise<PlaceFinding[]> => {
      const place = openUnlessMistaken(pickup, join(work, pickup.name), secrets);
      // What is wrong with its address is among the mistakes of the file.
      if (!place) return [];
      const found = { pickup: pickup.name, place: place.words };
      try {
        return [{ ...found, mistake: null, note: await place.check() }];
      } catch (error) {
        if (error instanceof CardlineError)
          return [{ ...found, mistake: error.message, note: null }];
        throw error;
      } finally {
        await place.close();
      }
    }),
  );
  const collected = metrics.file;
  return {
    mistakes,
    found: [
      ...places.flat(),
      ...(await checkCenters(settings, secrets, signal)),
      await checkFolderOf('state', state, 'Make it.'),
      ...(collected === undefined
        ? []
        : [await checkFolderOf('metrics', collected, 'Make it, or leave metrics.file out.')]),
    ],
  };
}

/** The place of a pickup; `undefined` where its address or its settings are none. */
function openUnlessMistaken(pickup: Pickup, work: string, env: Secrets): Place | undefined {
  try {
    return openPlace(pickup, { memory: NOTHING_KEPT, work, env });
  } catch (error) {
    if (error instanceof CardlineError) return undefined;
    throw error;
  }
}

/** What the watcher itself writes, and nobody would notice at once that it cannot. */
async function checkFolderOf(what: string, file: string, advice: string): Promise<PlaceFinding> {
  const found = { pickup: what, place: file, note: null };
  const folder = dirname(file);
  try {
    await stat(folder);
    await access(folder, constants.W_OK);
    return { ...found, mistake: null };
  } catch (error) {
    const mistake =
      codeOf(error) === 'ENOENT'
        ? `there is no folder ${folder}. ${advice}`
        : `${folder} cannot be written to (${codeOf(error)}). Check its rights.`;
    return { ...found, mistake };
  }
}

/** What stands in the way of the imports themselves, each once: pickups may share an installation and a campaign. */
async function checkCenters(
  { pickups, ledger }: PickupFile,
  env: Secrets,
  signal: AbortSignal,
): Promise<PlaceFinding[]> {
  const found: PlaceFinding[] = [];
  const seen = new Map<string, readonly string[]>();
  for (const pickup of pickups) {
    // What is wrong with them is among the mistakes of the file.
    if (!(await arePartsRight(pickup))) continue;
    const { mapping, installation, mode, campaign } = requestFor(pickup, NO_FILE, ledger);
    const key = JSON.stringify([mapping, installation, mode, campaign]);
    const mistakes = seen.get(key) ?? [
      ...(await mistakesAt({ mapping, installation, mode, campaign, ledger, env, signal })),
      ...(await unknownRoles(pickup)),
    ];
    seen.set(key, mistakes);
    const place = 'contact center, campaign and roles';
    const checked = { pickup: pickup.name, place, note: null };
    if (mistakes.length === 0) found.push({ ...checked, mistake: null });
    for (const mistake of mistakes) found.push({ ...checked, mistake });
  }
  return found;
}

const NO_FILE = { path: '', name: '' };

async function mistakesAt(
  request: Omit<Parameters<typeof examine>[0], 'describeInput'>,
): Promise<string[]> {
  const { results } = await examine(
    { ...request, campaignKey: 'import.campaign', describeInput: () => '' },
    () => undefined,
  );
  return results.flatMap(({ check, state, text }) =>
    state === 'failed' ? [`${check}: ${text}`] : [],
  );
}

async function unknownRoles({ import: settings }: Pickup): Promise<string[]> {
  const { sections } = await loadMapping(settings.mapping, {
    readTable,
    mode: settings.options.mode,
  });
  const { clientRoles } = await loadInstallation(settings.installation);
  if (!clientRoles || !('clientRoleId' in sections.client)) return [];
  return rolesIn(sections.client.clientRoleId)
    .filter((role) => !clientRoles.includes(role))
    .map((role) => `role ${role} of the mapping is none of the installation's clientRoles.`);
}

/** The roles that a part of a mapping names itself; those of the cells are looked at row by row. */
function rolesIn(part: unknown): number[] {
  if (typeof part !== 'object' || part === null) return [];
  const of = (key: string): unknown[] => {
    const found: unknown = Reflect.get(part, key);
    return typeof found === 'object' && found !== null ? Object.values(found) : [found];
  };
  const named = [...of('value'), ...of('default'), ...of('map')];
  return [...new Set(named.filter((one) => one !== undefined && one !== null).map(Number))].filter(
    (role) => Number.isInteger(role),
  );
}
