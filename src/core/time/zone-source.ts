/** Where the time zone of a client comes from: its column, its phone, or the default, for want of one or as it is not sure. */
export const ZONE_SOURCES = ['column', 'phone', 'ambiguous', 'default'] as const;
export type ZoneSource = (typeof ZONE_SOURCES)[number];

/** Clients by where their time zone comes from. */
export type ZoneCounts = Record<ZoneSource, number>;

export function noZones(): ZoneCounts {
  return { column: 0, phone: 0, ambiguous: 0, default: 0 };
}
