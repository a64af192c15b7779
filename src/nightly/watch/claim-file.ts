import type { ArrivedFile, ClaimedFile } from '../places/place.js';
import type { Claim } from '../state/state.js';
import type { WatcherPorts } from './ports.js';
import { type Taken, takeFile } from './take-file.js';
import { mistakeByManifest, signOf } from './whole-file.js';

/**
 * Claims a file and takes it. `isTaken`: it was taken out of where it arrived before, and its import did not end.
 * @returns how it went; `held`: another watcher has it; `gone`: it is no longer there
 * @throws StuckFileError when it cannot be taken out of where it arrived
 */
export async function takeClaimed(
  ports: WatcherPorts,
  file: ArrivedFile,
  isTaken: boolean,
  signal: AbortSignal,
): Promise<Taken | 'held' | 'gone'> {
  const { state, place, pickup, clock } = ports;
  const key = { pickup: pickup.name, file: file.name };
  const claim = await state.claim(key, file.version, clock.now());
  if (!claim) return 'held';
  let isOver = false;
  try {
    const isThere = isTaken || (await place.take(file));
    const fetched = isThere ? await place.fetch(file, signal) : null;
    if (!fetched) {
      isOver = true;
      return 'gone';
    }
    const taken = await takeWhole(ports, fetched, claim, signal);
    isOver = taken === 'good' || taken === 'bad';
    return taken;
  } finally {
    await (isOver ? state.unclaim(key) : state.letGo(key));
  }
}

/** What the claim of a file remembers that is not what its manifest says. */
const REFUSED = 'refused';

/** Holds a file against its manifest, once, and imports it. */
async function takeWhole(
  ports: WatcherPorts,
  file: ClaimedFile,
  claim: Claim,
  signal: AbortSignal,
): Promise<Taken> {
  const { state, place, pickup } = ports;
  const sign = signOf(pickup.ready, file.name);
  if (claim.noticed === REFUSED)
    return refuse(ports, file, claim, `${file.name} is not what ${sign ?? 'it'} says.`);
  if (!claim.isChecked && sign !== null) {
    const mistake = await mistakeByManifest(pickup.ready, place, file);
    if (mistake !== null) return refuse(ports, file, claim, mistake);
    // The next file of this name brings a sign of its own, which this one is not held against.
    await place.discard(sign);
    await state.noteClaim({ pickup: pickup.name, file: file.name }, { isChecked: true });
  }
  return takeFile(ports, file, claim, signal);
}

/** Puts a file away that is not what its manifest says. */
async function refuse(
  ports: WatcherPorts,
  file: ClaimedFile,
  claim: Claim,
  sentence: string,
): Promise<Taken> {
  const { place, pickup, outbox, onNote } = ports;
  const about = { pickup: pickup.name, file: file.name };
  if (claim.noticed !== REFUSED) {
    const event = { ...about, kind: 'bad', sentence, next: 'Send it again.' } as const;
    const isKept = await outbox.add([event], { about: { ...about, run: REFUSED } });
    if (!isKept) return 'lost';
  }
  const sign = signOf(pickup.ready, file.name);
  if (sign !== null) await place.discard(sign);
  const text = `${sentence}\n`;
  await place.putAway(file, 'bad', [{ suffix: '.error.txt', from: { text } }]);
  onNote(sentence);
  return 'bad';
}
