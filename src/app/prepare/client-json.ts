import type { AddressType, Client, PhoneType } from '../../core/card.js';
import { jsonOf, unquoted } from '../../core/json-text.js';

/** JSON of a client, as `JSON.stringify` gives it. */
export type ClientJson = (client: Client) => string;

/**
 * Written by hand, since it runs for every row of an import: it takes half of the time, and a test holds the two to the
 * same text. Fixed pieces are as long as they can be, since every piece is an object until the text is written.
 */
export function createClientJson(): ClientJson {
  const heads = new Map<string, string>();
  const members: Member[] = [];
  const fieldsJson = (fields: Client['fields']): string => {
    let [text, before, at]: [string, Before, number] = ['', 'none', 0];
    for (const name in fields) {
      // Cards have their fields in one order: the next one is found where the last one was left.
      while (at < members.length && members[at]?.name !== name) at++;
      if (at === MOST_KNOWN) at = members.length = 0;
      const member = (members[at] ??= memberOf(name));
      const value = fields[name] ?? null;
      if (typeof value === 'string') {
        text = text + member[before].text + unquoted(value);
        before = 'text';
      } else {
        text = text + member[before].other + jsonOf(value);
        before = 'other';
      }
    }
    return before === 'text' ? `${text}"` : text;
  };
  return (client) => {
    const { uuid, fields, phones, addresses, emails } = client;
    return (
      `{"uuid":"${unquoted(uuid)}${headOf(heads, client)}` +
      fieldsJson(fields) +
      `},"phones":[${phonesJson(phones)}],"addresses":[${addressesJson(addresses)}],"emails":[${emailsJson(emails)}]}`
    );
  };
}

/** What stands between a client's uuid and its fields: there are few of these. */
function headOf(known: Map<string, string>, { clientRoleId, type, timeZone }: Client): string {
  const key = `${type} ${clientRoleId} ${timeZone}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const head = `","clientRoleId":${jsonOf(clientRoleId)},"type":"${type}","timeZone":"${unquoted(timeZone)}","fields":{`;
  if (known.size < MOST_KNOWN) known.set(key, head);
  return head;
}

/** More than there are time zones, or fields of a card in the orders that rows have them in. */
const MOST_KNOWN = 1000;

function phonesJson(phones: Client['phones']): string {
  let text = '';
  for (const { phoneNumber, type, active, disabled } of phones) {
    text += text === '' ? '{"phoneNumber":"' : ',{"phoneNumber":"';
    text += unquoted(phoneNumber) + TYPE_END[type];
    text += active === undefined && disabled === undefined ? '}' : flags(active, disabled);
  }
  return text;
}

function addressesJson(addresses: Client['addresses']): string {
  let text = '';
  for (const { address, type, active } of addresses) {
    text += text === '' ? '{"address":"' : ',{"address":"';
    text += unquoted(address) + TYPE_END[type];
    text += active === undefined ? '}' : flags(active);
  }
  return text;
}

function emailsJson(emails: Client['emails']): string {
  let text = '';
  for (const { email, active } of emails) {
    text += text === '' ? '{"email":"' : ',{"email":"';
    text += unquoted(email);
    text += active === undefined ? '"}' : `"${flags(active)}`;
  }
  return text;
}

/** What follows a value that has a type. */
const TYPE_END: Readonly<Record<PhoneType | AddressType, string>> = {
  MOB: '","type":"MOB"',
  HOME: '","type":"HOME"',
  WORK: '","type":"WORK"',
  FAX: '","type":"FAX"',
};

/** The flags that are set, and the end of the contact. */
function flags(active?: boolean, disabled?: boolean): string {
  return `${active === undefined ? '' : `,"active":${active}`}${disabled === undefined ? '' : `,"disabled":${disabled}`}}`;
}

/** What a member follows: nothing, a text whose closing quote is still to be written, or another value. */
type Before = 'none' | 'text' | 'other';

/** How a member begins, by what it follows; `text`: with the opening quote of a text. */
type Member = Readonly<Record<Before, { readonly text: string; readonly other: string }>> & {
  readonly name: string;
};

function memberOf(name: string): Member {
  const begin = (mark: string) => {
    const other = `${mark}${JSON.stringify(name)}:`;
    return { text: `${other}"`, other };
  };
  return { name, none: begin(''), text: begin('",'), other: begin(',') };
}
