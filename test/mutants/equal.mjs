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
  {
    file: 'src/delivery/limiter.ts',
    was: 'fewer === concurrency',
    becomes: 'false',
    why: 'Whoever has two or more in flight turns down to fewer: 0.7 of them, or where the try began.',
  },
  {
    file: 'src/source/csv/rows.ts',
    was: 'lineEnd === NOWHERE && !this.last',
    becomes: 'true',
    why: 'What the scanner leaves the exact reader reads, and slower.',
  },
  {
    file: 'src/mapping/transforms/phone/read-phone.ts',
    on: 'if (inner < 0)',
    was: '0',
    becomes: '1',
    why: 'Each plus at the front has been taken before, so that none is at 0.',
  },
  {
    file: 'src/source/csv/rows.ts',
    was: 'quote >= 0',
    becomes: '(quote) > (0)',
    why: 'It is looked for behind a quote that opens.',
  },
  {
    file: 'src/source/csv/rows.ts',
    was: 'this.#delimiterFrom(open) < close',
    becomes: '(this.#delimiterFrom(open)) <= (close)',
    why: 'A quote stands there, and no delimiter.',
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
