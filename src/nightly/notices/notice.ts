import { z } from 'zod';
import { OUTCOMES, columnMessage } from '../../core/outcome.js';

/** What a notice can be about, with what it means for the person who gets it. */
export const NOTICES = {
  finished: { title: 'imported', needsYou: false },
  bad: { title: 'needs you', needsYou: true },
  stopped: { title: 'has stopped', needsYou: true },
  late: { title: 'has not come', needsYou: true },
  recovered: { title: 'works again', needsYou: false },
  unusual: { title: 'is unusual', needsYou: true },
  repeated: { title: 'has come again', needsYou: false },
  digest: { title: 'how it stands', needsYou: false },
} as const satisfies Record<string, { readonly title: string; readonly needsYou: boolean }>;

export type NoticeKind = keyof typeof NOTICES;

export const NOTICE_KINDS = Object.keys(NOTICES) as [NoticeKind, ...NoticeKind[]];

const reason = z.object({
  column: z.string().nullable().describe('Header of the column; null for the row as a whole.'),
  message: z.string().describe('What is wrong, without the value.'),
  rows: z.int(),
});

/** What is sent, without personal data: counts, names of files and columns, and sentences of cardline itself. */
export const noticeSchema = z
  .object({
    version: z.literal(1),
    id: z.uuid().describe('The same when the notice is sent again.'),
    kind: z.enum(NOTICE_KINDS),
    at: z.iso.datetime().describe('When it was made.'),
    pickup: z.string(),
    file: z.string().nullable().describe('Name of the file; null where it is about none.'),
    sentence: z.string().describe('What happened, in a sentence.'),
    next: z.string().nullable().describe('What to do next; null where there is nothing to do.'),
    run: z.string().nullable().describe('Id of the run.'),
    rows: z.int().nullable(),
    outcomes: z
      .partialRecord(z.enum(OUTCOMES), z.int())
      .describe('Rows by outcome, those above 0.'),
    quality: z.number().nullable().describe('Score of the list, from 0 to 100.'),
    seconds: z.number().nullable().describe('How long the run took.'),
    isTest: z.boolean().describe('Whether nothing of it has happened: "cardline notify test".'),
    reasons: z.array(reason).describe('Why rows did not end well, the most frequent first.'),
  })
  .describe('A notice of cardline watch.');

export type Notice = z.output<typeof noticeSchema>;

/** What is to be known of an event to make a notice of it. */
export type Event = Pick<Notice, 'kind' | 'pickup' | 'sentence'> &
  Partial<Omit<Notice, 'version' | 'id' | 'at'>>;

/** The notice of an event. `id`: a UUID. */
export const noticeOf = (event: Event, id: string, at: number): Notice => ({
  ...{ version: 1, file: null, next: null, run: null, rows: null, outcomes: {}, reasons: [] },
  ...{ quality: null, seconds: null, isTest: false },
  ...event,
  id,
  at: new Date(at).toISOString(),
});

/** One line that says what a notice is about. */
export const subjectOf = ({ kind, pickup, file, isTest }: Notice): string =>
  `cardline: ${isTest ? 'test: ' : ''}${file ?? pickup} ${NOTICES[kind].title}`;

/** The notice for a person, as lines. */
export function textOf(notice: Notice): string {
  const { sentence, next, reasons, run } = notice;
  return [
    sentence,
    ...reasons.map((reason) => `- ${reason.rows} x ${columnMessage(reason)}`),
    ...(run === null ? [] : [`Run: ${run}`]),
    ...(next === null ? [] : [`Next: ${next}`]),
  ].join('\n');
}
