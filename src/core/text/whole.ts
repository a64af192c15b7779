/**
 * A whole number with commas between thousands. Not by the engine's words for languages: their tables are read into
 * memory when they are asked for the first time, 6 MB of them.
 */
export const whole = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
