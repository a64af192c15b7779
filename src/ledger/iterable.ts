/** What gives another iterator with each iteration, where a generator could be iterated once. */
export const iterable = <T>(iterator: () => Iterator<T>): Iterable<T> => ({
  [Symbol.iterator]: iterator,
});
