import { CALL_CODES, type CallTime } from '../../core/time/call-time.js';
import { offsetAt, type TimeZone, timeZone } from '../../core/time/time-zone.js';
import { zoneOfText } from '../zones/zone-words.js';
import { type CallHours, nextCall } from './next-call.js';

/** When clients of one zone may be called, and what a report says of them. */
export interface ZoneCalls {
  readonly when: CallTime;
  /** Why they may not be called now; `null` where they may. */
  readonly why: { readonly code: string; readonly message: string } | null;
}

/** Zones that are remembered; a list with more names is looked up anew for each row. */
const MAX_KNOWN = 10_000;

/** When clients may be called as of one moment, which is decided once for each zone. */
export class CallTimes {
  readonly #known = new Map<string, ZoneCalls>();

  constructor(
    private readonly hours: CallHours,
    /** In milliseconds since the epoch. */
    private readonly asOf: number,
  ) {}

  /** `zone`: as the client has it. */
  of(zone: string): ZoneCalls {
    const known = this.#known.get(zone);
    if (known) return known;
    const found = this.#decide(zone);
    if (this.#known.size < MAX_KNOWN) this.#known.set(zone, found);
    return found;
  }

  #decide(name: string): ZoneCalls {
    const iana = zoneOfText(name);
    const zone = iana === null ? undefined : timeZone(iana);
    if (!zone) return { when: 'never', why: UNKNOWN_ZONE };
    const { when, at } = nextCall(this.hours, zone, this.asOf);
    return { when, why: when === 'now' ? null : whyNot(when, zone, at) };
  }
}

const UNKNOWN_ZONE = {
  code: CALL_CODES.never,
  message:
    'The time zone is not known here, so nobody can say when the client may be called. Write an IANA name such as Europe/Moscow.',
};

function whyNot(
  when: Exclude<CallTime, 'now'>,
  zone: TimeZone,
  at: number | null,
): ZoneCalls['why'] {
  const code = CALL_CODES[when];
  if (at === null)
    return { code, message: 'The hours of "callable" allow no call to the client in a year.' };
  const local = new Date(at + offsetAt(zone, at)).toISOString();
  const [day, clock] = [local.slice(0, 10), local.slice(11, 16)];
  const from = when === 'today' ? clock : `${day} ${clock}`;
  return { code, message: `The client may be called from ${from} on (${zone.name}).` };
}
