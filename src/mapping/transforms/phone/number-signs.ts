import { amongWords } from './phone-words.js';

/* `No.`, which denies, or stands for "number". */

const [isOwner, isPhoneLabel] = [amongWords('number owners'), amongWords('phone labels')];

/**
 * `No.` right before digits stands for "number" and denies nothing where it is the first word, or right behind whose number
 * it is: `Phone No. 030…`. Behind anything else it answers: `call: no +49…`.
 */
const NUMBER_SIGN = /(?<!\p{L})no(?!\p{L})(?=[\s.:#+(]*\d)/gu;
/** The same before its label, as in Malay. */
const FIRST_SIGN =
  /^[^\p{L}\d]*no(?:[\s.:]+(?=(?:telefon|telepon|telpon|telp|tlp|tel|hp|wa|handphone|fax)[\s.:#+(]*\d)|[.:]\s*(?=(?:phone|telephone|mobile|contact)[\s.:#+(]*\d))/u;

/** Letters of its owner at most, with what stands behind them. */
const OWNER_LENGTH = 40;
const OWNER = /(\p{L}+)(?:[\s.]*|\.?-)$/u;
/** Behind a label, `No.` with its point stands for "number" where a colon divides them, or no digits follow. */
const LABELLED_SIGN = /(?<!\p{L})(\p{L}+)([\s.]*[:-]\s*|[\s.]+)no\.(?=[\s)\],;]*(?:$|[+(\d]))/gu;

/** The plain text without `No.` where it stands for "number". */
export function withoutNumberSigns(plain: string): string {
  const text = plain
    .replace(FIRST_SIGN, ' ')
    .replace(LABELLED_SIGN, (all, label: string, between: string) =>
      isPhoneLabel(label) || (isOwner(label) && !/[:-]/.test(between)) ? `${label} ` : all,
    );
  const first = text.search(/[\p{L}\d]/u);
  return text.replace(NUMBER_SIGN, (sign, at: number) => {
    const owner = OWNER.exec(text.slice(Math.max(0, at - OWNER_LENGTH), at))?.[1];
    const isNumber = owner === undefined ? first >= at : isOwner(owner);
    return isNumber ? ' ' : sign;
  });
}
