export const CONTACT_KINDS = ['phone', 'email', 'address'] as const;
export type ContactKind = (typeof CONTACT_KINDS)[number];

/** What makes two phones, e-mails or addresses the same: a phone's digits, an e-mail without case, an address's text. */
export function contactKey(kind: ContactKind, value: string): string {
  const text = value.trim();
  if (kind === 'phone') return text.replace(/\D/g, '') || text;
  return kind === 'email' ? text.toLowerCase() : text;
}
