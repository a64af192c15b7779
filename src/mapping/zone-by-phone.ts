import type { ClientZoneSpec, ZoneByPhoneSpec } from './schema/time-zone.js';

/** Whether the zone is found by the phone where the column has none. */
export function isFoundByPhone(spec: ClientZoneSpec): spec is ZoneByPhoneSpec {
  return typeof spec === 'object' && spec.phone === true;
}
