/** Words of which the usual answers of a contact center consist (interface.md 4.1, 4.9). None is a name. */
const PLAIN = new Set(
  `a|already|an|and|another|any|are|as|at|be|been|before|blacklist|busy|by|campaign|campaigns|can|cannot
  card|client|clients|deleted|does|doesn|doesnt|duplicate|email|empty|error|exist|exists|failed|field
  fields|for|found|future|has|have|id|identifier|identifiers|in|invalid|is|it|limit|list|long|max
  maximum|missing|must|no|not|number|of|on|only|or|phone|phones|recovery|required|restored|restores
  server|such|synchronization|syncronize|t|telemarketcampaign|the|this|timezone|to|too|unknown|value
  valid|was|with|without|wrong`.split(/[|\s]+/),
);

const VALUES = /\[[^\]]*\]|\([^)]*\)|["«“][^"»”]*["»”]|[\p{L}\p{N}]+(?:[-_.@+][\p{L}\p{N}]+)*/gu;
const BRACKETED = /^[[("«“]/;

/**
 * What a contact center says, without what may be a client's or a credential: what stands in brackets or quotation marks,
 * and every word that its usual answers do not have, becomes `…`.
 */
export const plainWords = (text: string): string =>
  text
    .replaceAll(VALUES, (part) => {
      if (BRACKETED.test(part)) return `${part.charAt(0)}…${part.charAt(part.length - 1)}`;
      return PLAIN.has(part.toLowerCase()) ? part : '…';
    })
    .replaceAll(/…(?:[\s,;:+-]*…)+/g, '…');
