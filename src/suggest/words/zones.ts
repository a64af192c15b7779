/** Names and abbreviations of time zones that are no IANA names, by the zone that they mean. */
export const ZONE_WORDS: Readonly<Record<string, string>> = {
  'America/New_York':
    'eastern|est|edt|et|us eastern|eastern standard time|eastern time us canada|eastern time|us eastern standard time',
  'America/Chicago':
    'central|cst|cdt|ct|us central|central standard time|central time us canada|central time',
  'America/Denver':
    'mountain|mst|mdt|mt|us mountain|mountain standard time|mountain time us canada|mountain time',
  'America/Los_Angeles':
    'pacific|pst|pdt|pt|us pacific|pacific standard time|pacific time us canada|pacific time',
  'America/Anchorage': 'alaska|akst|akdt|alaskan standard time',
  'Pacific/Honolulu': 'hawaii|hst|hawaiian standard time',
  'America/Phoenix': 'arizona',
  'Europe/London': 'gmt standard time|bst|london|edinburgh london|uk',
  'Europe/Berlin': 'cet|cest|mez|mesz|w europe standard time|berlin',
  'Europe/Kyiv': 'eet|eest|fle standard time|kyiv|київ|киев',
  'Europe/Moscow': 'msk|мск|москва|московское время|russian standard time|moscow',
  'Europe/Istanbul': 'turkey standard time|trt|istanbul',
  'Asia/Kolkata': 'ist|india standard time|chennai kolkata mumbai new delhi',
  'Asia/Tokyo': 'jst|tokyo standard time|tokyo',
  'Asia/Shanghai': 'china standard time|beijing|北京时间',
  'Australia/Sydney': 'aest|aedt|aus eastern standard time|sydney',
  'America/Sao_Paulo': 'brt|e south america standard time|brasilia',
  UTC: 'utc|gmt|z|coordinated universal time',
};

/** Main zone of countries: where most people live, or the capital lies. */
export const COUNTRY_ZONES: Readonly<Record<string, string>> = {
  ...{
    US: 'America/New_York',
    CA: 'America/Toronto',
    MX: 'America/Mexico_City',
    BR: 'America/Sao_Paulo',
  },
  ...{
    AR: 'America/Argentina/Buenos_Aires',
    CO: 'America/Bogota',
    CL: 'America/Santiago',
    PE: 'America/Lima',
  },
  ...{
    GB: 'Europe/London',
    IE: 'Europe/Dublin',
    PT: 'Europe/Lisbon',
    ES: 'Europe/Madrid',
    FR: 'Europe/Paris',
  },
  ...{
    BE: 'Europe/Brussels',
    NL: 'Europe/Amsterdam',
    LU: 'Europe/Luxembourg',
    DE: 'Europe/Berlin',
  },
  ...{
    AT: 'Europe/Vienna',
    CH: 'Europe/Zurich',
    IT: 'Europe/Rome',
    PL: 'Europe/Warsaw',
    CZ: 'Europe/Prague',
  },
  ...{ SK: 'Europe/Bratislava', HU: 'Europe/Budapest', RO: 'Europe/Bucharest', BG: 'Europe/Sofia' },
  ...{
    GR: 'Europe/Athens',
    TR: 'Europe/Istanbul',
    UA: 'Europe/Kyiv',
    BY: 'Europe/Minsk',
    RU: 'Europe/Moscow',
  },
  ...{ SE: 'Europe/Stockholm', NO: 'Europe/Oslo', DK: 'Europe/Copenhagen', FI: 'Europe/Helsinki' },
  ...{
    EE: 'Europe/Tallinn',
    LV: 'Europe/Riga',
    LT: 'Europe/Vilnius',
    RS: 'Europe/Belgrade',
    HR: 'Europe/Zagreb',
  },
  ...{
    KZ: 'Asia/Almaty',
    UZ: 'Asia/Tashkent',
    GE: 'Asia/Tbilisi',
    AM: 'Asia/Yerevan',
    AZ: 'Asia/Baku',
  },
  ...{
    IL: 'Asia/Jerusalem',
    SA: 'Asia/Riyadh',
    AE: 'Asia/Dubai',
    EG: 'Africa/Cairo',
    MA: 'Africa/Casablanca',
  },
  ...{
    IN: 'Asia/Kolkata',
    PK: 'Asia/Karachi',
    CN: 'Asia/Shanghai',
    HK: 'Asia/Hong_Kong',
    TW: 'Asia/Taipei',
  },
  ...{
    JP: 'Asia/Tokyo',
    KR: 'Asia/Seoul',
    VN: 'Asia/Ho_Chi_Minh',
    TH: 'Asia/Bangkok',
    ID: 'Asia/Jakarta',
  },
  ...{ PH: 'Asia/Manila', SG: 'Asia/Singapore', MY: 'Asia/Kuala_Lumpur', AU: 'Australia/Sydney' },
  ...{
    NZ: 'Pacific/Auckland',
    ZA: 'Africa/Johannesburg',
    NG: 'Africa/Lagos',
    KE: 'Africa/Nairobi',
  },
};

/** Countries whose numbers lists of a language have, the likeliest first. */
export const LANGUAGE_COUNTRIES = {
  en: ['US', 'GB', 'IN', 'AU', 'CA', 'IE', 'NZ', 'ZA', 'SG', 'PH', 'NG', 'NL', 'BE', 'DE'],
  ru: ['RU', 'KZ', 'BY', 'UA', 'UZ'],
  uk: ['UA'],
  kk: ['KZ'],
  de: ['DE', 'AT', 'CH'],
  fr: ['FR', 'BE', 'CH', 'CA', 'MA'],
  es: ['ES', 'MX', 'AR', 'CO', 'CL', 'PE'],
  pt: ['BR', 'PT'],
  it: ['IT', 'CH'],
  pl: ['PL'],
  tr: ['TR'],
  ar: ['SA', 'AE', 'EG', 'MA'],
  he: ['IL'],
  zh: ['CN', 'TW', 'HK', 'SG'],
  ja: ['JP'],
  vi: ['VN'],
  hi: ['IN'],
} as const satisfies Record<string, readonly string[]>;
