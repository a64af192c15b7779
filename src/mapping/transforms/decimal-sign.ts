/** The sign before decimals of a style of which one sign is named. */
export const styleOf = (
  decimal: '.' | ',' | undefined,
  thousands: '.' | ',' | "'" | undefined,
): '.' | ',' => decimal ?? (thousands === '.' ? ',' : '.');
