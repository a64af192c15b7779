/*
 * Words around phone numbers, by language, with `|` between them. They are compared in lower case, without accents and
 * points.
 */

type Words = Readonly<Record<string, string>>;

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

/** What nobody does with a number, in a sentence with a word of `NOT_WORDS`; beginnings of words. */
const CALL_WORDS: Words = {
  en: 'call|contact|ring|phone|dial|disturb|telephone',
  ru: 'звон|позвон|перезван|перезвон|беспоко|тревож|обзван|контакт|связыв|тревог',
  uk: 'дзвон|телефон|турбу|контакт|звязув|передзвон',
  kk: 'қоңырау|хабарлас|звон',
  de: 'anruf|anzuruf|angeruf|kontakt|telefon|stor|werbung|ruf',
  fr: 'appel|contact|rappel|telephon|derang|joindre|demarch',
  es: 'llam|contact|telefon|molest|marcar',
  pt: 'lig|contat|contact|cham|incomod|perturb',
  it: 'chiam|contatt|telefon|disturb',
  pl: 'dzwon|kontakt|telefon|przeszkadz',
  tr: 'ara|rahatsiz|telefon',
  ar: 'اتصال|الاتصال|تتصل|للاتصال|إزعاج|ازعاج|اتصل',
  he: 'להתקשר|תתקשר|מתקשר|לחייג|לצלצל|להטריד|שיחות',
  vi: 'goi|lien',
  hi: 'कॉल|कल|फोन|फन|सपरक|सम्पर्क',
  others: 'bel|vol|hiv|soit|ring|sun',
};

const NOT_WORDS: Words = {
  en: 'not|dont|donot|no|never|stop|without|cannot|cant|forbidden',
  ru: 'не|нет|никогда|без|запрещено|запрет|нельзя',
  uk: 'не|ні|ніколи|без|заборонено|заборона',
  kk: 'болмайды|шалма|шалмаңыз|хабарласпа|хабарласпаңыз',
  de: 'nicht|kein|keine|keinen|keinerlei|nie|niemals|ohne|verboten',
  fr: 'ne|pas|jamais|aucun|sans|interdit',
  es: 'no|nunca|sin|prohibido',
  pt: 'nao|nunca|sem|proibido',
  it: 'non|mai|nessun|nessuna|senza|vietato',
  pl: 'nie|nigdy|bez|zakaz',
  tr: 'degil|istemiyor|yok|etmeyin|yasak|edilmesin',
  ar: 'لا|عدم|ممنوع|بدون|يمنع',
  he: 'לא|אין|אל|אסור',
  vi: 'khong|đung|cam|dung|chang',
  hi: 'न|नही|मत|ना|बद',
  others: 'niet|geen|ne|inte|ikke|ei|nu',
};

/** What says by itself that nobody may call, or that nobody of that number can be reached; beginnings of a text. */
const FORBIDDEN_PHRASES: Words = {
  en: 'dnc|donotcall|opt out|optout|opted out|unsubscribe|wrong number|disconnected|out of service|do not use',
  ru: 'чужой номер|неверный номер|номер неверный|ошибочный номер|отказ от звонк|стоп лист|стоплист|черный список|не обслуживается',
  uk: 'чужий номер|невірний номер|чорний список',
  kk: 'қоңырау шалма|хабарласпа|қате нөмір',
  de: 'anrufverbot|anrufsperre|gesperrt|sperrvermerk|werbesperre|robinson|falsche nummer|nummer falsch|nicht vergeben|kontaktsperre|anrufe unerwunscht|anruf unerwunscht',
  fr: 'bloctel|liste rouge|faux numero|mauvais numero|numero errone|opposition',
  es: 'lista robinson|robinson|numero equivocado|numero erroneo|baja',
  pt: 'numero errado|lista negra|nao perturbe',
  it: 'registro opposizioni|opposizioni|numero errato|numero sbagliato',
  pl: 'zly numer|bledny numer|pomylka|sprzeciw',
  tr: 'aramayin|aramayiniz|aranmasin|aranmak istemiyor|arama yapma|arama yasagi|yanlis numara|aramayalim',
  ar: 'رقم خاطئ|رقم خطأ|القائمة السوداء',
  he: 'מספר שגוי|מספר לא נכון|רשימה שחורה',
  zh: '勿打|勿拨|勿撥|勿扰|勿擾|勿致电|勿致電|勿联系|勿聯繫|不要打|不要拨|不要致电|不要联系|不要聯繫|别打|別打|禁止|拒接|拒绝|拒絕|空号|空號|错号|停机|停機|请勿|請勿',
  ja: '電話しない|電話不可|電話禁止|かけない|掛けない|架電禁止|架電不可|架電しない|連絡不可|連絡しない|連絡禁止|不通|番号違い|お断り|拒否',
  vi: 'nham so|sai so|tu choi',
  hi: 'गलत नबर|डीएनडी|dnd',
  others: 'bel me niet|numero gresit|rossz szam|spatne cislo|fel nummer|전화금지|ห้ามโทร',
};

/** Amounts of money and other measures, which are no phones. */
export const UNITS: ReadonlySet<string> = setOf({
  any: 'eur|euro|euros|usd|dollar|dollars|gbp|chf|rub|руб|рублей|рубля|р|uah|грн|kzt|тг|тенге|pln|zl|czk|kc|huf|ft|ron|lei|try|tl|inr|rs|jpy|cny|rmb|brl|mxn|sek|nok|dkk|kr|km|км|kg|кг|m2|м2|qm|м|cm|mm|percent|prozent|шт|stk|pcs|元|円|원',
});
export const LABELS = setOf(LABEL_WORDS);
export const NUMBERS = setOf(NUMBER_WORDS);
export const OR = setOf(OR_WORDS);
export const EXTENSIONS: readonly string[] = wordsOf(EXTENSION_WORDS);
/** Scripts that put no blanks between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

const NOT = setOf(NOT_WORDS);
const CALLS = wordsOf(CALL_WORDS);
const FORBIDDEN = wordsOf(FORBIDDEN_PHRASES);

function wordsOf(words: Words): string[] {
  return Object.values(words).flatMap((list) => list.split('|').map(plainWord));
}

function setOf(words: Words): ReadonlySet<string> {
  return new Set(wordsOf(words));
}

/** Lower case, without accents, points and apostrophes; words that are written together in some places stay so. */
export function plainWord(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\p{M}'’ʼ`]/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('ı', 'i');
}

/** The words of a text, in their plain form. */
export function plainWords(text: string): string[] {
  return plainWord(text)
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
}

/** Whether words say that a number must not be called, or that it is the wrong one. */
export function forbidsCalls(words: readonly string[]): boolean {
  if (words.length === 0) return false;
  const spaced = ` ${words.join(' ')}`;
  if (FORBIDDEN.some((phrase) => spaced.includes(UNSPACED.test(phrase) ? phrase : ` ${phrase}`)))
    return true;
  return (
    words.some((word) => NOT.has(word)) &&
    words.some((word) => CALLS.some((stem) => word.startsWith(stem)))
  );
}
