/** A field of a JSON object; `undefined` when it is absent or null, which some servers write for absent. */
export function fieldOf(json: unknown, field: string): unknown {
  if (typeof json !== 'object' || json === null || !Object.hasOwn(json, field)) return undefined;
  const value: unknown = Reflect.get(json, field);
  return value ?? undefined;
}
