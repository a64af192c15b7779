type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The object without its undefined properties: an option that was not given is absent. */
export function defined<T extends object>(options: T): Defined<T> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  // Object.fromEntries forgets the names; no check can bring them back.
  return Object.fromEntries(given) as Defined<T>;
}
