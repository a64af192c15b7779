/** Columns of the mapping that the files suit. */
export const LEADS = ['Offer', 'Site', 'Name', 'Phone', 'Note'] as const;

export const HEADER = `${LEADS.join(',')}\n`;

/** Cells of a good row. */
export function leadCells(number: number): string[] {
  return [
    String(1000 + number),
    'shop.example.com',
    number % 3 ? `Fedor ${number}` : `Фёдор ${number}`,
    `+7916${String(1_000_000 + number)}`,
    number % 5 ? '' : 'says "call me,\nafter six"',
  ];
}

/** So many good rows as CSV, with quotes and line ends in some cells. */
export function leadsCsv(count: number): string {
  const field = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = Array.from({ length: count }, (_, at) =>
    leadCells(at + 1)
      .map(field)
      .join(','),
  );
  return `${HEADER}${lines.join('\n')}\n`;
}

/** The mapping for `LEADS`. */
export const LEADS_MAPPING = `client:
  clientRoleId: { value: 1 }
  timeZone: { value: Europe/Moscow }
  fields:
    offerId: Offer
    offerDomain: { column: Site, transform: [trim, lower] }
    fullName: Name
    comment: Note
  phones:
    - { column: Phone, type: MOB, transform: [{ phone: { country: RU } }] }
`;

/** A mapping for any table: all rows are the same client, so that one is sent and the others are skipped. */
export const ANY_MAPPING = `client:
  clientRoleId: { value: 1 }
  timeZone: { value: Europe/Moscow }
  fields:
    offerId: { value: 1 }
    offerDomain: { value: example.com }
    fullName: { value: Somebody }
  phones: [{ value: '79161234567', type: MOB }]
duplicates: { by: sync }
`;
