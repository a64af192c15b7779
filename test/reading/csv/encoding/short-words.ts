/** Short words as they stand in columns of codes, towns, kinds and yes or no; a few are abbreviations. */
export const SHORT_WORDS = {
  ru: 'СПб ООО МСК ЗАО ИП да нет дом ул кв Юг Екб НН Уфа Омск Яна Лев Зоя Ия Ян муж жен Орёл пн вт ср ЛПР новый',
  uk: 'ТОВ ФОП так ні Київ Ірпінь Їжак Юрій Яна Ія вул буд Львів Є їй чол жін пн вт ср новий Одеса Ґалаґан',
  el: 'ναι όχι ΑΕ ΕΠΕ Ίος Κως Άρτα οδός Εύα Ιώ Ρόδος ΔΥ κα νέος',
  tr: 'Şen Işık Ağa İl Çay Muş Uşak Iğdır kız şef çok değil Özgü Ünye iş',
  pl: 'Łódź Żary Piła źle gość żona Śrem Wąs Bąk Ełk Iłża łąka Ząb więc źródło tak Żar',
  he: 'כן לא תל רחוב אבי דן רון לוד חדש יפו גן בע"מ',
  ar: 'نعم لا علي عمر دبي حي ذكر أنثى مكة بن جديد',
  th: 'ใช่ ไม่ ชาย หญิง เลย ตาก แพร่ ใหม่ นาย',
  ja: '東京 はい 男 女 田中 森 大阪 東 ニ 株 既存',
  zhHans: '男 女 是 否 王伟 李 北京 张 广州 新 上海',
} as const;

/** In which encodings, as iconv-lite names them, the words of a language are stored. */
export const STORED_IN = {
  ru: ['windows-1251', 'koi8-r', 'cp866', 'iso-8859-5', 'maccyrillic', 'cp855'],
  uk: ['windows-1251', 'koi8-u', 'iso-8859-5', 'maccyrillic'],
  el: ['windows-1253', 'iso-8859-7'],
  tr: ['windows-1254'],
  pl: ['windows-1250', 'iso-8859-2', 'cp852'],
  he: ['windows-1255', 'iso-8859-8'],
  ar: ['windows-1256', 'iso-8859-6'],
  th: ['windows-874'],
  ja: ['shift_jis', 'euc-jp'],
  zhHans: ['gbk'],
} as const satisfies Record<keyof typeof SHORT_WORDS, readonly string[]>;
