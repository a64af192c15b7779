/** How money is named beside an amount, in small letters and without a dot at the end; codes of ISO 4217 are known besides. */
const WORDS =
  'kr|kč|kc|zł|zl|ft|lei|leu|лв|лев|лева|r|руб|рубль|рубля|рублей|р|грн|гривна|гривен|гривень|тенге|тг|сум|сом|fr|sfr|frs|franken|francs|franc|rs|inr|rm|rp|bs|din|дин|ден|kn|tl|lira|liras|元|圆|圓|円|원|บาท|đồng|vnđ|euro|euros|eur|евро|євро|ευρώ|dollar|dollars|доллар|доллара|долларов|долл|pound|pounds|rupees|rupee|pesos|peso|reais|real|yen|yuan|rmb|zloty|złotych|złoty|złote|korun|kronor|kroner|krona|forint|rand|riyal|sr|aed|dh|dhs|درهم|ريال|ر.س|د.إ|جنيه|ج.م|₪|شيكل|ש"ח|تومان|﷼';

const known = new Set(WORDS.split('|'));
let codes: ReadonlySet<string> | undefined;

/** What stands before a currency sign of several countries: `US$`, `R$`, `S/`. */
const SIGN = /^(?:[a-z]{0,3}\.?\p{Sc}|\p{Sc}[a-z]{0,3}|s\/\.?)$/u;

/** Whether a text beside a number is a currency sign, its code, or a word for it. */
export function isCurrency(text: string): boolean {
  const word = text.trim().toLowerCase();
  if (SIGN.test(word) || known.has(word.replace(/\.$/, ''))) return true;
  codes ??= new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));
  return codes.has(word);
}
