/**
 * Names of zones that are longer than a client may have, and shorter ones with the same clocks from 2020 on: links of the
 * tz database, and neighbours with the same rules.
 */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  'America/Argentina/Buenos_Aires': 'America/Buenos_Aires',
  'America/Argentina/Catamarca': 'America/Catamarca',
  'America/Argentina/ComodRivadavia': 'America/Catamarca',
  'America/Argentina/La_Rioja': 'America/Buenos_Aires',
  'America/Argentina/Rio_Gallegos': 'America/Buenos_Aires',
  'America/Argentina/San_Juan': 'America/Buenos_Aires',
  'America/Argentina/San_Luis': 'America/Buenos_Aires',
  'America/Indiana/Indianapolis': 'America/Indianapolis',
  'America/Indiana/Petersburg': 'America/Indianapolis',
  'America/Kentucky/Louisville': 'America/Louisville',
  'America/Kentucky/Monticello': 'America/Louisville',
  'America/North_Dakota/Beulah': 'America/Chicago',
  'America/North_Dakota/Center': 'America/Chicago',
  'America/North_Dakota/New_Salem': 'America/Chicago',
};

/** An equal zone with a shorter name, where there is one; else the name itself. */
export function shortZone(name: string): string {
  return SHORT_NAMES[name] ?? name;
}
