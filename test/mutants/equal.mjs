/** Mutants that change nothing that anybody could see: where, what stands there, what it becomes, and why it is the same. */
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
];

export const isEqual = ({ file, was, becomes }) =>
  EQUAL.some((one) => one.file === file && one.was === was && one.becomes === becomes);
