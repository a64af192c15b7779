import type { AddressType, Client, PhoneType, FieldList, MappedClient } from '../core/client.js';
import { jsonOf, unquoted } from '../core/text.js';
import { joinedBytes } from '../core/prepared.js';

/**
 * JSON of a client, as `JSON.stringify` gives it, but that names which look like numbers stay where they are among the
 * fields. `uuid`: the client's, as JSON without its quotes.
 */
type ClientJson = (uuid: string, client: MappedClient) => string;

/**
 * Written by hand, since it runs for every row of an import: it takes half of the time, and a test holds the two to the
 * same text. Fixed pieces are as long as they can be, since every piece is an object until the text is written.
 */
export function createClientJson(): ClientJson {
  const headOf = createHeads();
  const fieldsJson = createFieldsJson();
  return (uuid, client) => {
    const { fields, phones, addresses, emails } = client;
    return (
      `{"uuid":"${uuid}${headOf(client)}` +
      fieldsJson(fields) +
      `},"phones":[${phonesJson(phones)}],"addresses":[${addressesJson(addresses)}],"emails":[${emailsJson(emails)}]}`
    );
  };
}

/** Members of the object of a client's fields. */
function createFieldsJson(): (fields: FieldList) => string {
  let known: readonly string[] = [];
  let members: readonly Member[] = [];
  return ({ names, values }) => {
    if (names !== known) {
      members = names.map(memberOf);
      known = names;
    }
    let [text, place]: [string, number] = ['', 0];
    // How a member begins depends on what is before it: nothing, a text whose closing quote is to come, or another value.
    let before: 'first' | 'afterText' | 'afterOther' = 'first';
    for (const member of members) {
      const value = values[place++] ?? null;
      if (value === null) continue;
      const begin =
        before === 'afterText'
          ? member.afterText
          : before === 'first'
            ? member.first
            : member.afterOther;
      if (typeof value === 'string') {
        text = text + begin.text + unquoted(value);
        before = 'afterText';
      } else {
        text = text + begin.other + jsonOf(value);
        before = 'afterOther';
      }
    }
    return before === 'afterText' ? `${text}"` : text;
  };
}

/** What stands between a client's uuid and its fields: there are few of these, known by their time zones. */
function createHeads(): (client: MappedClient) => string {
  const byZone = new Map<string, Head>();
  return ({ clientRoleId, type, timeZone }) => {
    const known = byZone.get(timeZone);
    for (let head = known; head; head = head.other)
      if (head.type === type && head.clientRoleId === clientRoleId) return head.text;
    const text = `","clientRoleId":${jsonOf(clientRoleId)},"type":"${type}","timeZone":"${unquoted(timeZone)}","fields":{`;
    if (byZone.size === MAX_KNOWN) byZone.clear();
    byZone.set(timeZone, {
      clientRoleId,
      type,
      text,
      other: depthOf(known) < MAX_ALIKE ? known : undefined,
    });
    return text;
  };
}

interface Head {
  readonly clientRoleId: number;
  readonly type: Client['type'];
  readonly text: string;
  /** Another one of the same time zone. */
  readonly other: Head | undefined;
}

function depthOf(head: Head | undefined): number {
  let depth = 0;
  for (let next = head; next; next = next.other) depth++;
  return depth;
}

/** Types and roles of clients in one time zone that are looked through. */
const MAX_ALIKE = 16;

/** More than there are time zones. */
const MAX_KNOWN = 1000;

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

/** `text`: with the opening quote of a text. */
interface Begin {
  readonly text: string;
  readonly other: string;
}

/** How a member of an object begins, by what it follows. */
interface Member {
  readonly first: Begin;
  readonly afterText: Begin;
  readonly afterOther: Begin;
}

function memberOf(name: string): Member {
  const begin = (mark: string): Begin => {
    const other = `${mark}${JSON.stringify(name)}:`;
    return { text: `${other}"`, other };
  };
  return { first: begin(''), afterText: begin('",'), afterOther: begin(',') };
}

const FIRST_BYTES = 64 * 1024;
/** Maximum bytes of UTF-8 for one unit of a text. */
const LONGEST_CHARACTER = 3;

/** Texts in UTF-8, one after the other. What has been taken makes room for others in the same memory. */
export class ByteWriter {
  #bytes = Buffer.from(new ArrayBuffer(FIRST_BYTES));
  length = 0;

  write(text: string): void {
    const max = this.length + text.length * LONGEST_CHARACTER;
    if (max > this.#bytes.length) this.#grow(max);
    this.length += this.#bytes.write(text, this.length, 'utf8');
  }

  /** Forgets what was written beyond this length. */
  cut(length: number): void {
    this.length = length;
  }

  /** A copy of its own size. */
  take(): Uint8Array {
    const bytes = joinedBytes([this.#bytes.subarray(0, this.length)]);
    this.length = 0;
    return bytes;
  }

  #grow(needed: number): void {
    const larger = Buffer.from(new ArrayBuffer(Math.max(needed, this.#bytes.length * 2)));
    this.#bytes.copy(larger, 0, 0, this.length);
    this.#bytes = larger;
  }
}

/** Where a chunk stands: `first` is the ordinal of its first row. */
export interface ChunkPlace {
  readonly input: number;
  readonly sheet: string | null;
  readonly first: number;
}

/** The `read` fact of a chunk under construction: what became of each of its rows. */
export interface Records {
  /** To be called before the first record of a chunk. */
  begin(place: ChunkPlace): void;
  /** Bytes so far. */
  readonly length: number;
  /** Where the next record will begin. */
  next(): number;
  /** Adds a record (`RowRecord`) as JSON. */
  add(json: string): void;
  /** The fact in UTF-8, with the fingerprints of its rows; nothing can be added before the next chunk has begun. */
  take(prints?: string): Uint8Array;
}

/** Keeps them as bytes: texts that are kept until the end are copied by the collector of garbage. */
export function createRecords(bytes: ByteWriter): Records {
  let none = 0;
  return {
    begin: ({ input, sheet, first }) => {
      bytes.write(`{"input":${input},"sheet":${JSON.stringify(sheet)},"first":${first},"rows":[`);
      none = bytes.length;
    },
    get length() {
      return bytes.length;
    },
    next: () => (bytes.length === none ? none : bytes.length + 1),
    add: (json) => {
      bytes.write(bytes.length === none ? json : `,${json}`);
    },
    take: (prints) => {
      bytes.write(prints === undefined ? ']}' : `],"prints":"${prints}"}`);
      return bytes.take();
    },
  };
}
