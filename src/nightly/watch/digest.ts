import { basename } from 'node:path';
import { EXIT } from '../../core/errors.js';
import { lastTimeOfDay, type TimeOfDay } from '../../core/time-of-day.js';
import { EVERY_DAY } from '../../core/hours.js';
import type { Outbox } from '../notices/outbox.js';
import type { PickupFile } from '../pickup/load.js';
import type { Secrets } from '../pickup/secrets.js';
import type { WatchState } from '../state/state.js';
import { statusOf, statusSentence, statusText } from './status.js';

const DAY = 86_400_000;
/** No pickup has this name. */
const ALL = '*';

export interface DigestPorts {
  readonly settings: PickupFile;
  readonly state: WatchState;
  readonly outbox: Outbox;
  readonly env: Secrets;
  readonly onNote: (message: string) => void;
}

/** Keeps the digest of the day where its hour has come and nobody else has: once a day, whoever watches, also of no file. */
export async function keepDigest(ports: DigestPorts, now: number): Promise<void> {
  const { settings, state, outbox, env, onNote } = ports;
  if (!settings.digest) return;
  const due = lastTimeOfDay(settings.digest.at, EVERY_DAY, now);
  const names = settings.pickups.map(({ name }) => name).sort();
  // Watchers of the same pickups share a state, and so may those of others.
  const name = `digest ${names.join(' ')}`;
  const from = await state.mark(ALL, name);
  if (from === null ? !isToday(settings.digest.at, due, now) : Number(from) >= due) return;
  const status = await statusOf(settings, state, env, now);
  const sentence = `${statusSentence(status)}\n${statusText(status)}`;
  const next =
    status.exitCode === EXIT.ok ? null : `cardline watch ${basename(settings.file)} --status`;
  const event = { kind: 'digest', pickup: basename(settings.file), sentence, next } as const;
  const mark = { pickup: ALL, name, from, to: String(due) };
  if (await outbox.add([event], { mark })) onNote(statusSentence(status));
}

/** Of days before anybody watched, there is nothing to tell. */
function isToday({ zone }: TimeOfDay, due: number, now: number): boolean {
  const dayOf = (at: number): number => Math.floor((at + zone.offsetAt(at)) / DAY);
  return dayOf(due) === dayOf(now);
}
