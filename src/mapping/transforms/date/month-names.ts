/** Languages whose months are looked up first: of a name that two languages give to two months, these count. */
const COMMON =
  'en ru de fr es pt it pl tr nl uk kk ar he vi hi cs hr ro hu el sv da nb fi bg sr sk sl lt lv et ca eu id ms';
/** The others that there are; those that this system does not know are left out. */
const OTHERS =
  'af ak am as az az-Cyrl be bm bn bo br bs bs-Cyrl ce ceb chv ckb cy dsb dz ee eo fa ff fil fo fur fy ga gd gl gsw gu gv ha haw hsb hy ia ig ii is jv ka ki kea kl km kn kok ks ku kw ky lb lg ln lo lu luo mai mfe mg mi mk ml mn mni mr mt mua my nd ne nn nus om or os pa ps qu rm rn rw sa sah sat sc sd se sg si smn sn so sq sr-Latn su sw ta te tg th ti tk to tt ug ur uz uz-Cyrl wo xh yi yo zgh zu ar-SY ar-MA ar-DZ';

/** Words between the parts of a date. */
const PARTICLES = new Set(
  'de del d di do da dos des the of den el la ta e na god goda gada m mis'.split(' '),
);

/** Month by name; 0 where languages do not agree. */
type Months = Map<string, number>;

let common: Months | undefined;
let all: Months | undefined;

const MIN_BEGINNING = 3;

/**
 * Number of a month by its name in any language that the system knows, long or short, as it stands alone or beside a day,
 * or by a beginning that only one month has in the common ones; 0 when it is none, or several. Accents, case and what
 * stands between the parts of a date do not matter.
 */
export function monthOf(name: string): number {
  const words = plain(name)
    .split(/[\s.’']+/)
    .filter((word) => word !== '');
  const own = words.filter((word) => !PARTICLES.has(word));
  for (const key of new Set([words.join(' '), own.join(' ')])) {
    if (key === '') continue;
    common ??= monthsOf(COMMON);
    const month = common.get(key) ?? begunBy(key);
    if (month !== undefined) return month;
    all ??= monthsOf(OTHERS);
    const other = all.get(key);
    if (other !== undefined) return other;
  }
  return 0;
}

/** The month that all common names mean that begin so. */
function begunBy(word: string): number | undefined {
  if (word.length < MIN_BEGINNING || common === undefined) return undefined;
  const months = new Set<number>();
  for (const [name, month] of common) if (name.startsWith(word)) months.add(month);
  const [only] = months;
  return months.size === 1 ? only : undefined;
}

function monthsOf(languages: string): Months {
  const months: Months = new Map();
  for (const locale of Intl.DateTimeFormat.supportedLocalesOf(languages.split(' ')))
    for (const month of ['long', 'short'] as const)
      for (const day of [undefined, 'numeric'] as const) {
        const format = new Intl.DateTimeFormat(`${locale}-u-ca-gregory-nu-latn`, {
          month,
          day,
          timeZone: 'UTC',
        });
        for (let at = 0; at < 12; at++) addMonth(months, format, at);
      }
  return months;
}

function addMonth(months: Months, format: Intl.DateTimeFormat, at: number): void {
  const part = format.formatToParts(Date.UTC(2026, at, 3)).find(({ type }) => type === 'month');
  const words = plain(part?.value ?? '').split(/[\s.’']+/);
  const name = words.filter((word) => word !== '').join(' ');
  if (!/^[\p{L}\p{M} -]+$/u.test(name)) return;
  const known = months.get(name);
  months.set(name, known === undefined || known === at + 1 ? at + 1 : 0);
}

/** Small letters without accents: people leave these out, and `ı` of Turkish is `I` in capitals. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replaceAll('ı', 'i')
    .normalize('NFC');
