import type { OperationName } from '../contract/operations.js';
import type { ForeignAnswer } from '../core/errors.js';
import type { Answer, Body } from './body.js';

/** Maximum characters of a body, and of an address, that are reported. */
const WORDS = 80;
const ADDRESS = 200;
/** How much of a page is searched for its words, in characters. */
const SEARCHED = 16 * 1024;

/** What an answer that is not the interface's shows of who gave it. */
export function seenIn(
  name: OperationName,
  { status, headers }: Answer,
  body: Body,
  address: string | undefined,
): ForeignAnswer {
  const words = wordsOf(body, QUOTED.has(name));
  return { status, words, location: locationIn(headers), address };
}

/** Operations that send nothing of a client, which an answer could repeat. */
const QUOTED: ReadonlySet<OperationName> = new Set(['listCampaigns']);

function wordsOf(body: Body, quotes: boolean): string {
  if (body.kind === 'json') return quotes ? quoted(JSON.stringify(body.json)) : 'JSON';
  if (body.kind !== 'text')
    return body.kind === 'empty' ? 'an empty body' : 'a body that cannot be unpacked';
  const text = body.text.slice(0, SEARCHED);
  const title = titleOf(text);
  if (title) return quoted(title);
  if (!quotes) return text.startsWith('<') ? 'a page' : 'text';
  return quoted(text.startsWith('<') ? wordsOfPage(text) : text);
}

function quoted(text: string): string {
  const words = cut(clean(text), WORDS);
  return words === '' ? 'an empty body' : `"${words}"`;
}

/** The title of a page says best what it is. */
const titleOf = (text: string): string | undefined =>
  text.startsWith('<') ? /<title[^>]*>([^<]*)/i.exec(text)?.[1]?.trim() : undefined;

function wordsOfPage(html: string): string {
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

function cut(text: string, max: number): string {
  const characters = Array.from(text.slice(0, 2 * max));
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}

function locationIn({ location }: Answer['headers']): string | null {
  const given = clean((Array.isArray(location) ? location[0] : location) ?? '');
  if (given === '') return null;
  const [address = ''] = given.split(/[?#]/);
  return cut(address.replace(/^([a-z][a-z\d+.-]*:)?\/\/[^/]*@/i, '$1//'), ADDRESS);
}
