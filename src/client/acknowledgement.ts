import type { Body } from './body.js';
import { fieldOf } from './json.js';

/** A few plain words, such as `OK` or `Created` (4.15). */
const WORDS = /^[a-z][a-z ]{0,39}[.!]?$/i;
const BAD_NEWS = /err|fail|exception|denied|forbidden|invalid|not |unavailable|timeout|timed out/i;

/**
 * Whether a body acknowledges: the interface calls it 'OK' and does not show its form. So it may be empty, any JSON
 * that reports no error, or a few plain words that are no bad news; never a page of HTML.
 */
export function isAcknowledgement(body: Body): boolean {
  if (body.kind === 'empty') return true;
  if (body.kind === 'text') return isGoodWord(body.text);
  if (body.kind !== 'json' || body.json === false) return false;
  if (typeof body.json === 'string') return isGoodWord(body.json);
  return !['errorMessage', 'errors', 'error'].some(
    (field) => fieldOf(body.json, field) !== undefined,
  );
}

const isGoodWord = (text: string): boolean => WORDS.test(text) && !BAD_NEWS.test(text);
