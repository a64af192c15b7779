/**
 * A whole number with commas between thousands. Not by the engine's words for languages: their tables are read into
 * memory when they are asked for the first time, 6 MB of them.
 */
export const whole = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** A count with the word for what is counted: `1 row`, `2,000 rows`. */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${whole(count)} ${count === 1 ? one : several}`;
