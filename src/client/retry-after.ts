/**
 * Milliseconds that a `Retry-After` header asks to wait: seconds, or an HTTP date seen from `now`. Never negative;
 * `undefined` when the header is absent or says neither.
 */
export function retryAfterMs(
  header: string | readonly string[] | undefined,
  now: number,
): number | undefined {
  const text = (typeof header === 'string' ? header : header?.[0])?.trim();
  if (text === undefined) return undefined;
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1000;
  // Every form of HTTP date begins with the name of a day; Date.parse alone takes '-5' for a year.
  const date = /^[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
