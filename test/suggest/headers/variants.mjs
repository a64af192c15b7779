import { hashOf } from './facts.mjs';

/** Words that stand before names of columns, by language. */
const BEFORE = {
  en: ['customer', 'contact', 'client', 'lead', 'person', 'cust', 'your', 'what is your', 'user'],
  ru: ['клиент', 'контакт', 'ваш', 'укажите ваш', 'заявитель'],
  uk: ['клієнт', 'контакт', 'ваш'],
  de: ['kunde', 'kontakt', 'kunden', 'wie lautet ihre', 'ihr', 'person'],
  fr: ['client', 'contact', 'quel est votre', 'votre', 'assuré'],
  es: ['cliente', 'contacto', 'cuál es su', 'su', 'titular'],
  pt: ['cliente', 'contato', 'qual é o seu', 'seu', 'titular'],
  it: ['cliente', 'contatto', 'qual è il tuo', 'tuo', 'intestatario'],
  pl: ['klient', 'kontakt', 'twój', 'podaj', 'klienta'],
  tr: ['müşteri', 'iletişim', 'kişi'],
  nl: ['klant', 'contact', 'uw'],
  sv: ['kund', 'kontakt', 'din'],
};

const VOWELS = /(?<=\p{L})[aeiouyаеёиоуыэюя]/gu;
const ALPHABETIC = /^[\p{Script=Latin}\p{Script=Cyrillic}\s\d]+$/u;

const KINDS = [
  // cust_nm, тел_моб
  (words) => words.map((word) => (word.length > 4 ? word.replace(VOWELS, '') : word)).join(' '),
  (words) => words.map((word) => (word.length > 5 ? word.slice(0, 3) : word)).join(' '),
  // firstname
  (words) => words.join(''),
  (words, { before }) => [before, ...words].join(' '),
  (words, { before }) => [before, ...words].join(' '),
  (words) => [...words, '1'].join(' '),
  // A letter too few, or two in the wrong order.
  (words, { pick }) => withTypo(words, pick),
  (words, { pick }) => withTypo(words, pick + 1),
];

function withTypo(words, pick) {
  const at = pick % words.length;
  const word = words[at];
  if (word.length < 5) return words.join(' ');
  const place = 1 + (pick % (word.length - 2));
  const changed =
    pick % 2 === 0
      ? word.slice(0, place) + word.slice(place + 1)
      : word.slice(0, place) + word[place + 1] + word[place] + word.slice(place + 2);
  return words.with(at, changed).join(' ');
}

/** Other ways in which a name may be written; made of it alone, and the same in every run. */
export function variantsOf(form, concepts, language) {
  if (!ALPHABETIC.test(form)) return [];
  const words = form.split(' ');
  const pick = hashOf(`variant ${form}`) >>> 4;
  const before = BEFORE[language] ?? BEFORE.en;
  const chosen = [pick % KINDS.length, (pick >>> 8) % KINDS.length];
  const made = chosen.map((kind) =>
    KINDS[kind](words, { before: before[(pick >>> 12) % before.length], pick: pick >>> 3 }),
  );
  return [...new Set(made)].filter((variant) => variant !== form && variant.length > 1);
}
