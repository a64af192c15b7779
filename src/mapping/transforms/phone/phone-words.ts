/*
 * Words around phone numbers, by language, with `|` between them. They are compared in lower case, without accents and
 * points. `word(a/b)` is the word with one of these endings (`word(/a)`: or none), `word*` all words that begin so.
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

/** What is not to be done with a number, in a sentence with a word of `NOT_WORDS`. */
const CALL_WORDS: Words = {
  en: 'call(/s/ed/ing/er/ers)|contact(/s/ed/ing)|ring(/s/ing)|phone(/s/d)|phoning|dial(/s/ed/ing/led/ling)|disturb(/s/ed/ing)|telephone(/s/d)',
  ru: 'звон*|позвон*|перезван*|перезвон*|беспоко*|тревож*|обзван*|контакт*|связыв*|тревог*',
  uk: 'дзвон*|телефон*|турбу*|контакт*|звязув*|передзвон*',
  kk: 'қоңырау*|хабарлас*|звон*',
  de: 'anruf*|anzuruf*|angeruf*|kontakt*|telefon*|stor*|werbung*|ruf*',
  fr: 'appel*|contact*|rappel*|telephon*|derang*|joindre*|demarch*',
  es: 'llam*|contact*|telefon*|molest*|marcar*',
  pt: 'lig(a/ar/ue/uem/uei/ando/acao/acoes)|contat*|contact*|cham(a/ar/e/em/ada/adas)|incomod*|perturb*',
  it: 'chiam*|contatt*|telefon*|disturb*',
  pl: 'dzwon*|kontakt*|telefon*|przeszkadz*',
  tr: 'ara(/ma/mak/malar/nma/nmak/yin/yiniz)|rahatsiz*|telefon*',
  ar: 'اتصال*|الاتصال*|تتصل*|للاتصال*|إزعاج*|ازعاج*|اتصل*',
  he: 'להתקשר*|תתקשר*|מתקשר*|לחייג*|לצלצל*|להטריד*|שיחות*',
  vi: 'goi*|lien*',
  hi: 'कॉल*|कल*|फोन*|फन*|सपरक*|सम्पर्क*',
  others:
    'bel(/len/t)|vol(at/ej/ejte/aj/ajte/ani)|hiv(ni/ja/jon/jak/as/ast)|soit(a/taa/tele/toja)|ring(e/a/er/es/as/t)|sun(a/ati)',
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

/** The same of an address of e-mail. */
const MAIL_WORDS: Words = {
  en: 'mail|email|write|contact|spam|send',
  ru: 'пис|напис|пиш|почт|рассыл|слать|присыл|отправл|контакт',
  uk: 'пис|напис|пош|розсил|надсил|контакт',
  de: 'schreib|anschreib|anzuschreib|kontakt|senden|werbung',
  fr: 'ecri|contact|courriel|envoy',
  es: 'escrib|contact|correo|envi|mand',
  pt: 'escrev|contat|contact|envi|mand',
  it: 'scriv|contatt|invi|mand',
  pl: 'pis|pisz|kontakt|wysyl|mail',
  tr: 'yaz|gonder|eposta',
  others: 'schrijf|skriv|kirjoit|napis|posil|scri',
};

/** What forbids calls by itself, or says that the number reaches no one. Several words: the last may go on. */
const FORBIDDEN_PHRASES: Words = {
  en: 'dnc|d n c|donotcall|opt out|optout|opted out|unsubscribe(/d)|wrong number|disconnected|out of service|do not use|deceased|not in service|not in use|invalid number|blacklist(/ed)|black list|on tps|tps registered|sms only|only sms|text only|texts only|whatsapp only|only whatsapp',
  ru: 'чужой номер|неверный номер|номер неверный|ошибочный номер|отказ от звонк|стоп лист|стоплист(/е)|черный список|не обслуживается|не тот номер|номер не тот|ошибка номер|ошиблись номер|не существует|отписал(ся/ась/ись/а/и/)|заблокирован(/а/о/ы/ный/ная/ное/ные)|умер(/ла/ло/ли/ший/шая/шие)|только смс|только sms|только whatsapp|только ватсап',
  uk: 'чужий номер|невірний номер|номер невірний|чорний список|не обслуговується|не існує|помер(/ла/ло/ли/лий)|тільки смс|тільки sms|лише смс',
  be: 'не тэлефан|не званіц|памылковы нумар',
  kk: 'қоңырау шалма|хабарласпа*|қате нөмір|мазалама*|тек смс',
  de: 'anrufverbot(/e)|anrufsperre(/n)|gesperrt(/e/er/es)|sperrvermerk(/e)|werbesperre(/n)|robinsonliste(/n)|robinson liste|falsche nummer|nummer falsch|nicht vergeben|kontaktsperre(/n)|anrufe unerwunscht|anruf unerwunscht|keine werbe|werbewiderspruch(/e)|verstorben(/e/er/en)|nur sms|nur whatsapp',
  fr: 'bloctel|liste rouge|faux numero|mauvais numero|numero errone|opposition(/s)|pas dappel|plus attribue|non attribue|decede(/e/s/es)|sms uniquement|uniquement sms',
  es: 'lista robinson|numero equivocado|numero erroneo|baja|no existe|fuera de servicio|fallecid(o/a/os/as)|solo sms|solo whatsapp',
  pt: 'numero errado|lista negra|nao perturbe|nao existe|inexistente|falecid(o/a/os/as)|so sms|somente whatsapp|so whatsapp',
  it: 'registro opposizioni|opposizioni|numero errato|numero sbagliato|inesistente|non esiste|decedut(o/a/i/e)|solo sms|solo whatsapp',
  ro: 'numero gresit|numar gresit|decedat(/a/i)|doar sms',
  pl: 'zly numer|bledny numer|pomylka|sprzeciw(/u)|nie istnieje|nieaktualny|zmarl(/a/y/i/o)|tylko sms',
  cs: 'nevolat|nevolejte|nevolej|nekontakt*|nerusit|zakaz volani|spatne cislo|zemrel(/a/i/y/o)|jen sms|pouze sms',
  sk: 'nevolajte|nevolaj|nerusit|zakaz volania|zle cislo|zomrel(/a/i/o)|len sms|iba sms',
  bg: 'не се обажда|не звън|не безпокойте|не търсете|грешен номер|починал(/а/и/ата/ият)|само смс',
  sr: 'ne zvati|ne zovi|ne nazivati|ne kontaktira|ne uznemir|pogresan broj|не звати|не зови|не узнемир|погрешан број|samo sms|umro|umrla|preminu(o/la/li)',
  sl: 'ne klic|napacna stevilka|samo sms',
  sq: 'mos telefono|mos me telefono|numer i gabuar',
  el: 'μην καλ|μη καλ|μην τηλεφων|μην ενοχλ|λάθος αριθμός|απεβίωσε|μόνο sms',
  hu: 'ne hiv|rossz szam|teves szam|elhunyt(/ak)|meghalt(/ak)|csak sms',
  fi: 'älä soita|ei saa soittaa|soittokielto|väärä numero|vain tekstiviesti|kuollut',
  et: 'mitte helista|ära helista|ei tohi helistada|vale number|ainult sms|surnud',
  lv: 'nezvan*|nesazin*|netrauce*|nepareizs numurs|tikai sms',
  lt: 'neskambin*|nekontakt*|netrukdy*|klaidingas numeris|tik sms',
  nl: 'bel me niet|verkeerd nummer|foutief nummer|overleden|alleen sms|alleen whatsapp',
  nordic:
    'fel nummer|feil nummer|forkert nummer|avliden|avlidna|avdød(/e)|afdød(/e)|endast sms|kun sms|ekki hringja',
  tr: 'aramayin|aramayiniz|aranmasin|aranmak istemiyor|arama yapma|arama yasagi|yanlis numara|aramayalim|kara liste|vefat|sadece sms|sadece mesaj|kullanilmiyor',
  az: 'zəng etmə|zəng vurma|narahat etmə|yanlış nömrə|səhv nömrə|yalnız sms',
  uz: "qo'ng'iroq qilma|telefon qilma|bezovta qilma|noto'g'ri raqam|қўнғироқ қилма|безовта қилма",
  ky: 'чалба*|кабарлашпа*|туура эмес номер',
  tg: 'занг назан|рақами нодуруст',
  ka: 'არ დარეკ|ნუ დარეკ|არ შეაწუხ|არასწორი ნომერი',
  hy: 'չզանգ*|մի զանգ|չանհանգստ*|սխալ համար',
  mn: 'битгий залга|залгахгүй|буруу дугаар',
  ar: 'رقم خاطئ|رقم خطأ|القائمة السوداء|متوفى|رسائل فقط|واتساب فقط',
  fa: 'تماس نگیر|زنگ نزن|مزاحم نش|تماس ممنوع|شماره اشتباه|فوت شد|فقط پیامک',
  ur: 'کال نہ کر|فون نہ کر|غلط نمبر',
  he: 'מספר שגוי|מספר לא נכון|רשימה שחורה|נפטר(/ה/ו)|רק סמס|רק הודעות',
  zh: '勿打|勿拨|勿撥|勿扰|勿擾|勿致电|勿致電|勿联系|勿聯繫|不要打|不要拨|不要致电|不要联系|不要聯繫|别打|別打|禁止|拒接|拒绝|拒絕|空号|空號|错号|停机|停機|请勿|請勿|已故|去世|已停用|黑名单|黑名單|仅短信|只发短信',
  ja: '電話しない|電話不可|電話禁止|かけない|掛けない|架電禁止|架電不可|架電しない|連絡不可|連絡しない|連絡禁止|不通|番号違い|お断り|拒否|死亡|使われていない|解約済|ショートメールのみ',
  ko: '전화하지|전화 하지|전화금지|전화 금지|연락하지|연락 금지|연락금지|통화 금지|수신거부|수신 거부|잘못된 번호|없는 번호|결번|사망|문자만',
  th: 'ห้ามโทร|อย่าโทร|ห้ามติดต่อ|ผิดเบอร์|เสียชีวิต',
  vi: 'nham so|sai so|tu choi|da mat|chi nhan tin',
  id: 'jangan hubungi|jangan dihubungi|jangan telepon|jangan telefon|jangan ditelepon|jangan call|jangan panggil|jangan ganggu|jangan kacau|salah nomor|nomor salah|nombor salah|salah nombor|meninggal|hanya sms|hanya wa',
  hi: 'गलत नबर|डीएनडी|dnd|कॉल करू नका|फोन करू नका|निधन',
  bn: 'কল করবেন না|ফোন করবেন না|ভুল নম্বর',
  ta: 'அழைக்க வேண்டாம்|தவறான எண்',
  te: 'కాల్ చేయవద్దు|ఫోన్ చేయవద్దు',
  others: 'usipige|huwag tawagan|huwag tumawag|moenie bel',
};

/** What says so where nothing else stands beside the number. */
const FORBIDDEN_ALONE = setOf({ any: 'stop|tps|ctps|dnd|tot|mort|muerto|robinson' });

/** Amounts of money and other measures, which are no phones. */
export const UNITS: ReadonlySet<string> = setOf({
  any: 'eur|euro|euros|usd|dollar|dollars|gbp|chf|rub|руб|рублей|рубля|р|uah|грн|kzt|тг|тенге|pln|zl|czk|kc|huf|ft|ron|lei|try|tl|inr|rs|jpy|cny|rmb|brl|mxn|sek|nok|dkk|kr|km|км|kg|кг|m2|м2|qm|м|cm|mm|percent|prozent|шт|stk|pcs|元|円|원',
});
export const LABELS = setOf(LABEL_WORDS);
export const NUMBERS = setOf(NUMBER_WORDS);
export const OR = setOf(OR_WORDS);
export const EXTENSIONS: readonly string[] = wordsOf(EXTENSION_WORDS);
/** Scripts that put no blanks between words, or add to them. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

const NOT = setOf(NOT_WORDS);
const CALLS = formsOf(CALL_WORDS);
const FORBIDDEN = formsOf(FORBIDDEN_PHRASES);

/** Words, and what is looked for within a text. */
interface Forms {
  readonly words: ReadonlySet<string>;
  /** Beginnings of words. */
  readonly beginnings: readonly string[];
  /** Several words, or such without blanks between. */
  readonly phrases: readonly string[];
}

function formsOf(table: Words): Forms {
  const [words, beginnings, phrases] = [new Set<string>(), [] as string[], [] as string[]];
  for (const written of wordsOf(table)) {
    const [, stem = written, endings = ''] = /^([^(]*)\((.*)\)$/.exec(written) ?? [];
    if (stem.endsWith('*')) beginnings.push(stem.slice(0, -1));
    else if (UNSPACED.test(stem)) phrases.push(stem);
    else if (/[^\p{L}]/u.test(stem)) phrases.push(` ${stem}`);
    else for (const ending of endings.split('/')) words.add(stem + ending);
  }
  return { words, beginnings, phrases };
}

const holds = ({ words, beginnings }: Forms, word: string): boolean =>
  words.has(word) || beginnings.some((beginning) => word.startsWith(beginning));

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

/** `No.` right before digits, where it stands for "number" and denies nothing. */
const NUMBER_SIGN = /(?<!\p{L})no(?!\p{L})[\s.:#+(]*(?=\d)/gu;

/** The words of a text with digits that may forbid calls. */
export const wordsBesideDigits = (text: string): string[] =>
  plainWords(plainWord(text).replace(NUMBER_SIGN, ' '));

/** Phrases of the list that are names of people as well. */
const NAMES: ReadonlySet<string> = new Set(['baja', 'opposition', 'oppositions']);
/** Short beginnings of words are those of names. */
const isLong = (word: string): boolean => word.length > 3;
const MAILS: Forms = {
  words: new Set([...CALLS.words].filter(isLong)),
  beginnings: [...wordsOf(MAIL_WORDS), ...CALLS.beginnings.filter(isLong)],
  phrases: [],
};
const FORBIDDEN_MAIL: Forms = {
  ...FORBIDDEN,
  words: new Set([...FORBIDDEN.words].filter((word) => !NAMES.has(word))),
};

/** Whether the words before an address forbid to write there. */
export function forbidsMail(words: readonly string[]): boolean {
  return (words.length === 1 && words[0] === 'stop') || forbids(words, FORBIDDEN_MAIL, MAILS);
}

/** Whether words say that a number must not be called, or that it is the wrong one. */
export function forbidsCalls(words: readonly string[]): boolean {
  const [only = ''] = words;
  if (only === '') return false;
  if (words.length === 1 && FORBIDDEN_ALONE.has(only)) return true;
  return forbids(words, FORBIDDEN, CALLS);
}

function forbids(words: readonly string[], forbidden: Forms, asked: Forms): boolean {
  const spaced = ` ${words.join(' ')}`;
  if (words.some((word) => holds(forbidden, word))) return true;
  if (forbidden.phrases.some((phrase) => spaced.includes(phrase))) return true;
  return words.some((word) => NOT.has(word)) && words.some((word) => holds(asked, word));
}
