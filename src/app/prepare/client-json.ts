import type { AddressType, Client, PhoneType } from '../../core/card.js';
import { jsonOf, unquoted } from '../../core/json-text.js';

/** JSON of a client, as `JSON.stringify` gives it. */
export type ClientJson = (client: Client) => string;

/**
 * Written by hand, since it runs for every row of an import: it takes half of the time, and a test holds the two to the
 * same text. Fixed pieces are as long as they can be, since every piece is an object until the text is written.
 */
export function createClientJson(): ClientJson {
  const first = beginningsOf('');
  const next = beginningsOf(',');
  const fieldsJson = (fields: Client['fields']): string => {
    let [text, beginnings] = ['', first];
    for (const name in fields) {
      const { text: beforeText, other } = beginnings(name);
      const value = fields[name] ?? null;
      if (typeof value === 'string') text += `${beforeText}${unquoted(value)}"`;
      else text += other + jsonOf(value);
      beginnings = next;
    }
    return text;
  };
  return (client) => {
    const { uuid, clientRoleId, type, timeZone, fields, phones, addresses, emails } = client;
    return (
      `{"uuid":"${unquoted(uuid)}","clientRoleId":${jsonOf(clientRoleId)},"type":"${type}","timeZone":"${unquoted(timeZone)}","fields":{` +
      fieldsJson(fields) +
      `},"phones":[${phonesJson(phones)}],"addresses":[${addressesJson(addresses)}],"emails":[${emailsJson(emails)}]}`
    );
  };
}

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

/** How a member begins; `text`: with the quotes of a text that follows. */
interface Beginning {
  readonly text: string;
  readonly other: string;
}

/** Beginnings of members by their names, each made once. */
function beginningsOf(mark: '' | ','): (name: string) => Beginning {
  const known = new Map<string, Beginning>();
  return (name) => {
    const found = known.get(name);
    if (found) return found;
    const other = `${mark}${JSON.stringify(name)}:`;
    const made = { text: `${other}"`, other };
    known.set(name, made);
    return made;
  };
}
