import type { WebhookTarget } from '../pickup/schema.js';
import { type Notice, subjectOf, textOf } from './notice.js';

type Body = (notice: Notice, target: WebhookTarget) => object;

/** What is posted, by the form that a receiver takes. */
const BODIES = {
  notice: (notice) => notice,
  slack: (notice) => ({ text: `*${subjectOf(notice)}*\n${textOf(notice)}` }),
  teams: (notice) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            { type: 'TextBlock', weight: 'Bolder', wrap: true, text: subjectOf(notice) },
            { type: 'TextBlock', wrap: true, text: textOf(notice) },
          ],
        },
      },
    ],
  }),
  telegram: (notice, { chat }) => ({
    chat_id: chat,
    text: `${subjectOf(notice)}\n${textOf(notice)}`,
  }),
} satisfies Record<WebhookTarget['body'], Body>;

/** The body of a request, as text: it is signed as it is sent. */
export const bodyOf = (notice: Notice, target: WebhookTarget): string =>
  JSON.stringify((BODIES[target.body] as Body)(notice, target));
