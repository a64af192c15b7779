import type { CardField } from '../../src/installation/installation.js';

type Card = Readonly<Record<string, CardField>>;

const text = (more: Partial<CardField> = {}): CardField => ({
  type: 'TextField',
  sync: false,
  required: false,
  ...more,
});
const number = (more: Partial<CardField> = {}): CardField => ({ ...text(more), type: 'Number' });
const choice = (...values: string[]): CardField => ({ ...text(), type: 'ComboBox', values });
const sync = { sync: true } as const;
const required = { required: true } as const;

/** The card configurations that the exports are suggested for. */
export const CARDS = {
  leads: {
    externalId: text(sync),
    fullName: text(required),
    company: text(),
    jobTitle: text(),
    segment: choice('cold', 'warm', 'hot'),
    leadStatus: { ...text(), type: 'StatusField', values: ['new', 'open', 'won', 'lost'] },
    leadSource: text(),
    budget: number(),
    birthDate: text(),
    createdAt: text(),
    comment: text(),
    website: text(),
    product: text(),
  },
  offers: {
    offerId: number(sync),
    offerDomain: text(sync),
    fullName: text(required),
    segment: choice('cold', 'warm', 'hot'),
    budget: number(),
    city: text(),
    branch: text(),
    birthDate: text(),
    registered: text(),
    consent: text(),
    comment: text(),
  },
  debts: {
    contractNo: text(sync),
    lastName: text(required),
    firstName: text(required),
    middleName: text(),
    birthDate: text(),
    debt: number(),
    dueDate: text(),
    overdueDays: number(),
    currency: choice('RUB', 'USD', 'EUR', 'KZT', 'UAH'),
    product: text(),
    branch: text(),
    comment: text(),
  },
  dial: {
    vendorLeadCode: text(sync),
    fullName: text(required),
    city: text(),
    state: text(),
    postalCode: text(),
    gender: choice('M', 'F'),
    comments: text(),
    lastCallDate: text(),
    callCount: number(),
    score: number(),
  },
  policy: {
    policyNumber: text(sync),
    fullName: text(required),
    premium: number(),
    renewalDate: text(),
    vehicle: text(),
    plateNumber: text(),
    insurer: text(),
    city: text(),
  },
  titled: {
    f101: text({ ...sync, title: 'Номер договора' }),
    f102: text({ ...required, title: 'ФИО' }),
    f103: number({ title: 'Сумма долга', aliases: ['Долг', 'Debt'] }),
    f104: text({ title: 'Дата платежа' }),
    f105: { ...choice('новый', 'в работе', 'закрыт'), title: 'Статус' },
    f106: text({ title: 'Комментарий', aliases: ['Notes'] }),
  },
} as const satisfies Record<string, Card>;
