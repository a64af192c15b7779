import type { ForeignAnswer } from '../core/errors.js';
import type { Answer, Body } from './body.js';

/** Most characters of a body, and of an address, that are told. */
const WORDS = 80;
const ADDRESS = 200;
/** How much of a page is searched for its words, in characters. */
const SEARCHED = 16 * 1024;

/** What an answer that is not the interface's shows of who gave it. */
export function seenIn(
  { status, headers }: Answer,
  body: Body,
  address: string | undefined,
): ForeignAnswer {
  const words = cut(clean(textOf(body)), WORDS);
  return { status, words, location: locationIn(headers), address };
}

function textOf(body: Body): string {
  if (body.kind === 'json') return JSON.stringify(body.json);
  if (body.kind !== 'text') return body.kind === 'empty' ? '' : 'a body that cannot be unpacked';
  const text = body.text.slice(0, SEARCHED);
  return text.startsWith('<') ? wordsOfPage(text) : text;
}

/** The title of a page says best what it is; else its first text. */
function wordsOfPage(html: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(html)?.[1]?.trim();
  if (title) return title;
  return html
    .replace(/<(script|style)\b.*?(<\/\1\s*>|$)/gis, ' ')
    .replace(/<!--.*?(-->|$)/gs, ' ')
    .replace(/<[^>]*(>|$)/g, ' ');
}

/** Control and direction characters could change what a terminal shows. */
const clean = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();

function cut(text: string, most: number): string {
  const characters = Array.from(text.slice(0, 2 * most));
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}

function locationIn({ location }: Answer['headers']): string | null {
  const given = clean((Array.isArray(location) ? location[0] : location) ?? '');
  if (given === '') return null;
  const [address = ''] = given.split(/[?#]/);
  return cut(address.replace(/^([a-z][a-z\d+.-]*:)?\/\/[^/]*@/i, '$1//'), ADDRESS);
}
