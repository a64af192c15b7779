const last = new Map<string, Promise<unknown>>();

/** Does what concerns one list one after the other, so that none changes what another has just read. */
export function inTurn<T>(list: string, work: () => Promise<T>): Promise<T> {
  const result = (last.get(list) ?? Promise.resolve()).then(work, work);
  last.set(list, result);
  const forget = (): void => {
    if (last.get(list) === result) last.delete(list);
  };
  void result.then(forget, forget);
  return result;
}
