import { CALL_CODES, type CallTime, offsetAt, type TimeZone, timeZone } from '../../core/hours.js';
import { zoneOfText } from '../zones/zone-words.js';
import { type CallHours, nextCall, nextCallInAll } from './next-call.js';

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
  /** By the zones that clients can be in, which are the same lists for all of them. */
  readonly #unsure = new Map<readonly string[], Map<string, ZoneCalls>>();

  constructor(
    private readonly hours: CallHours,
    /** In milliseconds since the epoch. */
    private readonly asOf: number,
  ) {}

  /**
   * @param zone as the client has it
   * @param possible the zones that the client can be in, where that is not sure: a call must be allowed in all of them
   */
  of(zone: string, possible: readonly string[] = SURE): ZoneCalls {
    const known = possible === SURE ? this.#known : this.#knownOf(possible);
    let found = known.get(zone);
    if (!found) {
      found = this.#decide(zone, possible);
      if (known.size < MAX_KNOWN) known.set(zone, found);
    }
    return found;
  }

  #knownOf(possible: readonly string[]): Map<string, ZoneCalls> {
    let known = this.#unsure.get(possible);
    if (!known) this.#unsure.set(possible, (known = new Map<string, ZoneCalls>()));
    return known;
  }

  #decide(name: string, possible: readonly string[]): ZoneCalls {
    const zone = zoneOf(name);
    if (!zone) return { when: 'never', why: UNKNOWN_ZONE };
    const others = possible.flatMap((other) => zoneOf(other) ?? []);
    const { when, at } =
      others.length === 0
        ? nextCall(this.hours, zone, this.asOf)
        : nextCallInAll(this.hours, [zone, ...others], this.asOf);
    return { when, why: when === 'now' ? null : whyNot(when, zone, at, others.length > 1) };
  }
}

const SURE: readonly string[] = [];

function zoneOf(name: string): TimeZone | undefined {
  const iana = zoneOfText(name);
  return iana === null ? undefined : timeZone(iana);
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
  isUnsure: boolean,
): ZoneCalls['why'] {
  const code = CALL_CODES[when];
  if (at === null)
    return {
      code,
      message: isUnsure
        ? 'The hours of "callable" allow no call at one time in all time zones that the client can be in.'
        : 'The hours of "callable" allow no call to the client in a year.',
    };
  const local = new Date(at + offsetAt(zone, at)).toISOString();
  const [day, clock] = [local.slice(0, 10), local.slice(11, 16)];
  const from = when === 'today' ? clock : `${day} ${clock}`;
  const message = isUnsure
    ? `The client may be called from ${from} on (${zone.name}): then it is allowed in all time zones that the client can be in.`
    : `The client may be called from ${from} on (${zone.name}).`;
  return { code, message };
}
