const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A piece of HTML. Only this file makes one, so that a text is never taken for markup. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = Markup | string | number | readonly Markup[];

/** HTML from a template; the values in it are escaped, unless they are markup themselves. */
export function markup(pieces: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(
    pieces.map((piece, at) => piece + (at < parts.length ? textOf(parts[at] ?? '') : '')).join(''),
  );
}

/** Markup from our own source, unescaped. */
export const trusted = (text: string): Markup => new Markup(text);

/** A name whose writing direction does not change that of the text around it. */
export const isolated = (name: string): Markup => markup`<bdi>${name}</bdi>`;

/** Markup one after the other, with a text such as `, ` between. */
export const joined = (parts: readonly Markup[], between: string): Markup =>
  new Markup(parts.map(({ text }) => text).join(textOf(between)));

/** No markup at all. */
export const nothing = new Markup('');

/** JSON text for the page's script, as the element of id `data`. No text in it can end the element. */
export const embedded = (json: string): Markup =>
  new Markup(
    `<script type="application/json" id="data">${json.replaceAll('<', '\\u003c')}</script>`,
  );

function textOf(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return String(part).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
