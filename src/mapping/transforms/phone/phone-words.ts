/*
 * Words around phone numbers, by language, with `|` between them. They are compared in lower case, without accents and
 * points. `word(a/b)` is the word with one of these endings (`word(/a)`: or none), `word*` all words that begin so.
 */

export type Words = Readonly<Record<string, string>>;

const NOT_ASCII = /[^\0-\x7f]/;
/** Apostrophes, and what is typed or read for one: accents, quotation marks, minutes, letters of a few scripts. */
const APOSTROPHE = /['`´‘’‛′‵＇ʹʻʼʽˈ՚΄᾽᾿ꞌ]/;
const APOSTROPHES = new RegExp(APOSTROPHE, 'g');
/** Accents and points; a circle with a stroke says something by itself. */
const MARKS = /[^\P{M}\u20e0]/gu;
const ELISION = /(?<![\p{L}\d])(?:[nmldjstc]|qu)'(?=\p{L})/giu;

/** What kind of number it is: says nothing that is lost. */
const LABEL_WORDS: Words = {
  en: 'tel|telephone|phone|mobile|mob|cell|cellphone|cellular|home|work|office|business|private|landline|main|direct|call|contact|whatsapp|viber|telegram|signal|imo|wa|m|t|h|w|p|c|ph|hp',
  ru: 'т|тел|телефон|м|моб|мобильный|сот|сотовый|дом|домашний|раб|рабочий|городской|гор|контактный|ватсап|вайбер|телеграм|личный|основной',
  uk: 'телефон|мобільний|домашній|робочий|міський|особистий',
  kk: 'ұялы|үй|жұмыс|телефон',
  de: 'telefon|fon|mobil|handy|festnetz|privat|geschaftlich|geschaft|gesch|buro|zuhause|zentrale|dienstlich|rufnummer|rufnr|telnr|tn|d',
  fr: 'telephone|portable|port|fixe|domicile|bureau|travail|prive|ligne|standard|gsm|mobile',
  es: 'telefono|tfno|tlf|telf|movil|celular|cel|casa|trabajo|oficina|fijo|particular',
  pt: 'telefone|telemovel|tlm|celular|casa|trabalho|escritorio|fixo|residencial|comercial|recado',
  it: 'telefono|cellulare|cell|casa|ufficio|lavoro|fisso|abitazione',
  pl: 'telefon|komorka|kom|komorkowy|dom|domowy|praca|sluzbowy|stacjonarny|biuro|prywatny',
  tr: 'telefon|tlf|cep|gsm|ev|is|ofis|sabit',
  ar: 'هاتف|تلفون|تليفون|جوال|موبايل|محمول|المنزل|منزل|العمل|عمل|مكتب|ت|ج',
  he: 'טלפון|טל|נייד|פלאפון|בית|עבודה|משרד',
  zh: '电话|電話|手机|手機|座机|座機|固话|家|公司|办公|宅|电|移动',
  ja: '電話|電話番号|携帯|携帯電話|自宅|勤務先|会社|直通|代表|固定',
  vi: 'dien|thoai|đien|đt|dt|sđt|sdt|dđ|dd|di|đong|dong|nha|co|quan|may|ban',
  hi: 'फन|फोन|मोबाइल|टेलीफोन|घर|कार्यालय|दूरभाष',
  nl: 'telefoon|mobiel|vast|thuis|werk|prive|kantoor',
  others:
    'tlf|puh|puhelin|matkapuhelin|mobiltelefon|telefonszam|telefonnummer|τηλ|τηλεφωνο|κιν|전화|휴대폰|โทร',
};

/** Beside a label; alone before the digits of an identifier as well. */
const NUMBER_WORDS: Words = {
  any: 'nr|no|num|number|numero|numer|номер|номера|ном|нөмір|numara|رقم|מספר|号|号码|番号|so|नबर|nummer|nro|n',
};

/** Before the digits of an extension. */
const EXTENSION_WORDS: Words = {
  en: 'ext|extn|extension|xtn|x',
  ru: 'доб|добавочный|добав|доп|внутр|внутренний|вн',
  uk: 'дод|додатковий|внутрішній',
  kk: 'қосымша|ішкі',
  de: 'durchwahl|dw|apparat|app|nebenstelle|nst|hausapparat',
  fr: 'poste|p|interne',
  es: 'extension|anexo|interno|int',
  pt: 'ramal|extensao|ext|r',
  it: 'interno|int',
  pl: 'wewnetrzny|wewn|wew|w',
  tr: 'dahili|dah',
  ar: 'تحويلة|داخلي|فرعي',
  he: 'שלוחה|שלוחות',
  zh: '分机|分機|内线|內線|转|轉',
  ja: '内線',
  vi: 'may le|so noi bo|nhanh',
  hi: 'विस्तार|एक्सटेंशन',
  others: 'toestel|tst|klapka|kl|linka|mellek|anknytning|ankn|lokal|alanumero|εσωτ|내선',
};

/** Between two numbers. */
const OR_WORDS: Words = {
  en: 'or|and|to|also|alt|then|else|alternatively',
  ru: 'или|и|либо|также|до|затем',
  uk: 'або|чи|та|і|й|до',
  kk: 'немесе|және|не',
  de: 'oder|und|bis|sowie|od|u|bzw|auch',
  fr: 'ou|et|puis|a',
  es: 'o|y|u|e|a',
  pt: 'ou|e|a|ate',
  it: 'o|e|oppure|ed|od|anche',
  pl: 'lub|i|oraz|albo|do|a',
  tr: 'veya|ve|ya|yada|ile',
  ar: 'أو|او|و|ثم',
  he: 'או|ו|וגם',
  zh: '或|和|或者|与|與|及|以及|至|还有',
  ja: 'または|又は|と|及び|および|か|もしくは|も',
  vi: 'hoac|va|hay',
  hi: 'या|और|अथवा|एव',
  others: 'of|en|nebo|alebo|vagy|sau|si|eller|och|og|tai|ja|ή|και|또는|หรือ',
};

/** Amounts of money and other measures, which are no phones. */
export const UNITS: ReadonlySet<string> = setOf({
  any: 'eur|euro|euros|usd|dollar|dollars|gbp|chf|rub|руб|рублей|рубля|р|uah|грн|kzt|тг|тенге|pln|zl|czk|kc|huf|ft|ron|lei|try|tl|inr|rs|jpy|cny|rmb|brl|mxn|sek|nok|dkk|kr|km|км|kg|кг|m2|м2|qm|м|cm|mm|percent|prozent|шт|stk|pcs|元|円|원',
});
/** What is counted, right behind digits that are none of the number. */
const COUNTED_WORDS: Words = {
  en: 'people|persons|person|pax|guests|kids|children|adults|floor|floors|fl|years|year|yrs|yo|months|weeks|days|day|minutes|min|mins|times|rooms|calls|tries|attempts|st|nd|rd|th|street|avenue|road',
  de: 'personen|pers|leute|gaste|kinder|erwachsene|stock|stockwerk|etage|og|jahre|jahr|jahrig|monate|wochen|tage|tag|minuten|mal|zimmer|versuche|anrufe',
  ru: 'чел|человек|человека|дет|детей|гостей|этаж|лет|год|года|гр|мес|месяцев|недели|недель|дн|дней|дня|мин|минут|раз|раза|комн|комнаты|кв',
  uk: 'чол|осіб|особи|дітей|дитини|поверх|років|рік|роки|днів|хв|хвилин|рази|разів',
  fr: 'personnes|personne|pers|enfants|enfant|adultes|etage|eme|ans|mois|semaines|jours|fois|chambres|rue|avenue',
  es: 'personas|persona|pers|ninos|adultos|piso|anos|ano|meses|semanas|dias|minutos|veces|habitaciones',
  pt: 'pessoas|pessoa|criancas|adultos|andar|anos|ano|meses|semanas|dias|vezes|quartos',
  it: 'persone|persona|bambini|adulti|piano|anni|anno|mesi|settimane|giorni|minuti|volte|camere',
  pl: 'osoby|osob|osoba|dzieci|pietro|lat|lata|miesiecy|dni|razy|pokoje',
  nl: 'personen|kinderen|volwassenen|verdieping|etage|jaar|maanden|weken|dagen|keer|kamers',
  nordic:
    'personer|barn|born|vuxna|voksne|vaning|etasje|sal|ar|manader|maneder|veckor|uker|uger|dagar|dager|dage|ganger|gange|rum|rom',
  tr: 'kisi|kisilik|cocuk|yetiskin|kat|yil|yas|yasinda|ay|hafta|gun|kez|oda',
  others:
    'osob|osoby|deti|deca|dece|djece|osoba|patro|poschodie|sprat|kat|let|roku|rokov|godina|dnu|dni|krat|fo|szemely|gyerek|emelet|eves|henkiloa|lasta|kerros|vuotta|persoane|copii|etaj|ani|души|деца|години|ατομα|παιδια|οροφος|ετων|orang|anak|lantai|tahun|nguoi|tang|tuoi|शख|लग|سنة|اشخاص|اطفال|طابق|אנשים|ילדים|קומה|人|名|歳|岁|歲|楼|樓|階|명|층|살|คน|ชั้น|ปี',
};

export const COUNTED = setOf(COUNTED_WORDS);
export const LABELS = setOf(LABEL_WORDS);
export const NUMBERS = setOf(NUMBER_WORDS);
export const OR = setOf(OR_WORDS);
export const EXTENSIONS: readonly string[] = wordsOf(EXTENSION_WORDS);

export function wordsOf(words: Words): string[] {
  return Object.values(words).flatMap((list) => plainWord(list).split('|'));
}

export function setOf(words: Words): ReadonlySet<string> {
  return new Set(wordsOf(words));
}

/** Lower case, without accents, points and apostrophes; words that are written together in some places stay so. */
export function plainWord(text: string): string {
  const apart = withoutApostrophes(text);
  if (!NOT_ASCII.test(apart)) return apart.toLowerCase();
  return (
    apart
      // Signs that would become letters, and those words: `Nº` is no `No`.
      .replace(/[№ºª°™℠©®]/g, ' ')
      .normalize('NFKD')
      .replace(MARKS, '')
      .toLowerCase()
      .replaceAll('ß', 'ss')
      .replaceAll('ł', 'l')
      .replaceAll('ı', 'i')
  );
}

/** A French word before an apostrophe is one of its own: `n'appelez`. */
function withoutApostrophes(text: string): string {
  if (!APOSTROPHE.test(text)) return text;
  return plainApostrophes(text)
    .replace(ELISION, (word) => (/^n/i.test(word) ? 'ne ' : `${word.slice(0, -1)} `))
    .replaceAll("'", '');
}

export const plainApostrophes = (text: string): string => text.replace(APOSTROPHES, "'");

const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,5}));/gi;
const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', apos: "'", quot: '"', lt: '<', gt: '>', nbsp: ' ' },
  ...{ lsquo: "'", rsquo: "'", ndash: '-', mdash: '-' },
};

/** The text with what HTML writes for signs in their place. */
export function withoutEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (entity, decimal?: string, hex?: string, name = '') => {
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    if (code <= 0x10ffff) return String.fromCodePoint(code);
    return NAMED_ENTITIES[String(name).toLowerCase()] ?? entity;
  });
}

/** The words of a text, in their plain form. */
export function plainWords(text: string): string[] {
  return plainWord(text)
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
}
