/** A moment to the minute, in UTC: `2026-11-20 17:45 UTC`. */
export const momentOf = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Date and time as clocks show them here, with their distance from UTC: `2026-11-20 18:45:00 +01:00`. */
export function localTime(milliseconds: number): string {
  const offset = -new Date(milliseconds).getTimezoneOffset();
  const local = new Date(milliseconds + offset * 60_000).toISOString();
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const distance = `${offset < 0 ? '-' : '+'}${padded(hours)}:${padded(minutes)}`;
  return `${local.slice(0, 10)} ${local.slice(11, 19)} ${distance}`;
}

/** A time span in its two largest units: `0.3 s`, `1 min 5 s`, `2 h 0 min`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
  return hours === 0 ? `${minutes} min ${seconds % 60} s` : `${hours} h ${minutes % 60} min`;
}

const padded = (value: number): string => String(value).padStart(2, '0');
