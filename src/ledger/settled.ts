/**
 * What a function returns or throws, as a promise that is settled already: a ledger on this machine answers within the
 * turn in which it is asked.
 */
export function settled<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(work());
  });
}
