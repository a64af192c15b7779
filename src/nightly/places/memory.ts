import type { WatchState } from '../state/state.js';
import type { PlaceMemory } from './place.js';

const PREFIX = 'kept ';

/** What a place remembers of a pickup, in the state that its watchers share. */
export const memoryOf = (state: WatchState, pickup: string): PlaceMemory => ({
  kept: async () => {
    const marks = await state.marks(pickup, PREFIX);
    return new Map(marks.map(({ name, value }) => [name.slice(PREFIX.length), value]));
  },
  keep: (name, version) => set(state, pickup, name, version),
  forget: (name) => set(state, pickup, name, null),
});

async function set(
  state: WatchState,
  pickup: string,
  file: string,
  to: string | null,
): Promise<void> {
  const name = PREFIX + file;
  const from = await state.mark(pickup, name);
  if (from !== to) await state.record({ notices: [], mark: { pickup, name, from, to } });
}

/** For a look that changes nothing. */
export const NOTHING_KEPT: PlaceMemory = {
  kept: () => Promise.resolve(new Map()),
  keep: () => Promise.resolve(),
  forget: () => Promise.resolve(),
};
