/** Keys and values of a mapping while it is edited. */
export type Keys = Record<string, unknown>;

export const isRecord = (value: unknown): value is Keys =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
