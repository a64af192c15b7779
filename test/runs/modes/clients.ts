import { type Mode, MODES } from '../../../src/core/outcome.js';

/** Each mode has its own clients, so that all modes can be tried on one contact center: this is where they begin. */
export const baseOf = (mode: Mode): number => (MODES.indexOf(mode) + 1) * 1_000_000;

export const DOMAIN = 'shop.example.com';
export const BLACKLISTED = '79990000666';
/** Clients beyond those of the rows, who are never changed: their identifiers are taken. */
export const SITTING = 50;

/** Which of a mode's clients, from 1, stand how. Every property has a period of its own, so that they mix. */
export const isDeleted = (i: number): boolean => i % 20 === 7;
export const isInCampaign = (i: number): boolean => i % 2 === 0;
/** Has a callback: a manual one each eighth, an automatic one between. */
export const hasCallback = (i: number): boolean => i % 4 === 0;
export const isBlacklisted = (i: number): boolean => i % 25 === 13;

export const phoneOf = (base: number, i: number): string =>
  isBlacklisted(i) && !isInCampaign(i) ? BLACKLISTED : `7900${base / 1_000_000}${pad(i)}`;
export const otherPhoneOf = (base: number, i: number): string => `7495${base / 1_000_000}${pad(i)}`;
export const emailOf = (base: number, i: number): string => `old${base + i}@mail.example.com`;
export const addressOf = (base: number, i: number): string => `Elm street ${base + i}`;

const pad = (i: number): string => String(i).padStart(6, '0');

export const identifiersOf = (base: number, i: number) => ({
  offerId: base + i,
  offerDomain: DOMAIN,
});

/** A client that was there before, for 4.1. Some fields are unset. */
export function oldClient(base: number, i: number) {
  return {
    uuid: `old-${base + i}`,
    clientRoleId: 1,
    type: i % 6 ? 'SIMPLE' : 'VIP',
    timeZone: 'Europe/Moscow',
    fields: {
      ...identifiersOf(base, i),
      fullName: `Old ${base + i}`,
      ...(i % 3 ? { segment: i % 3 === 1 ? 'cold' : 'warm' } : {}),
      ...(i % 5 ? { comment: `was ${i}` } : {}),
      ...(i % 7 ? { budget: i } : {}),
    },
    phones: [
      { phoneNumber: phoneOf(base, i), type: 'MOB' },
      { phoneNumber: otherPhoneOf(base, i), type: 'WORK', active: i % 9 !== 0 },
    ],
    emails: i % 4 ? [{ email: emailOf(base, i) }] : [],
    addresses: [{ address: addressOf(base, i), type: 'HOME' }],
  };
}

/** The card as the contact center has it. */
const CARD = `
  offerId: { type: Number, sync: true }
  offerDomain: { type: TextField, sync: true }
  fullName: { type: TextField, required: true }
  budget: { type: Number }
  comment: { type: TextField }`;

/** `url`: where it is. The importer does not know which segments there are, so that the contact center refuses some. */
export const installationOf = (url: string): string => `name: modes
baseUrl: ${url}
card:${CARD}
  segment: { type: ComboBox }
# Whatever is carried out at all is carried out at once.
transport: { serverDeadlineMs: 2000 }
`;

export const SANDBOX_INSTALLATION = `name: modes
baseUrl: http://127.0.0.1:9
card:${CARD}
  segment: { type: ComboBox, values: [cold, warm] }
sandbox: { blacklist: ['${BLACKLISTED}'] }
`;
