/**
 * Mutants that change nothing that anybody could see: the line, what of it becomes what, and why it is the same. `on` is a
 * part of the line, where the text alone may stand elsewhere.
 */
const EQUAL = [
  {
    file: 'src/delivery/attempt.ts',
    was: '!isUuidOf(index, found.uuid)',
    becomes: 'true',
    why: 'What is not judged in its order is judged by a map, with the same result.',
  },
  {
    file: 'src/delivery/attempt.ts',
    was: 'place++',
    becomes: 'place--',
    why: 'The same: the second of several does not fit, and the map judges.',
  },
  {
    file: 'src/delivery/attempt.ts',
    was: 'rest.length > 0',
    becomes: 'true',
    why: 'A fact about no rows says nothing.',
  },
  {
    file: 'src/delivery/sender.ts',
    on: 'if (ms > 0) await this.ports.clock.sleep',
    was: '0',
    becomes: '1',
    why: 'It waits for a millisecond less at most, once.',
  },
];

export const isEqual = (mutant) =>
  EQUAL.some(
    ({ file, on = '', was, becomes }) =>
      file === mutant.file &&
      mutant.on.includes(on) &&
      was === mutant.was &&
      becomes === mutant.becomes,
  );
