import { createContactCenter } from '../../../client/contact-center.js';
import { EXIT } from '../../../core/errors.js';
import { whole } from '../../../core/text.js';
import { hoursText, localText, nextPermitted } from '../../../core/hours.js';
import type { Installation, Limits } from '../../../installation/installation.js';
import { failed, ok } from '../finding.js';
import { type Check, known } from '../check.js';

/** What `${NAME}` stands for is set, and certificates can be read. */
export const environment: Check = {
  needs: ['installation'],
  run: (context) => {
    const installation = known(context.installation);
    const onAnswer: NonNullable<Parameters<typeof createContactCenter>[1]>['onAnswer'] = (
      event,
    ) => {
      context.event = event;
    };
    const { env } = context.request;
    context.center = createContactCenter(installation, { env, connections: 1, onAnswer });
    const names = variablesOf(installation);
    return ok(names.length === 0 ? 'no variables are needed' : `${names.join(', ')}: set`);
  },
};

function variablesOf({ headers, transport }: Installation): string[] {
  const texts = [...Object.values(headers), transport.proxy ?? ''];
  const names = texts.flatMap((text) => [...text.matchAll(/\$\{([A-Za-z_]\w*)\}/g)]);
  return [...new Set(names.map(([, name = '']) => name))];
}

/** How each limit is read out. */
const LIMIT_TEXTS = {
  clientsPerRequest: (max) => `${max} clients in a request`,
  requestBytes: (max) => `${max} bytes in a request`,
  concurrency: (max) => `${max} requests at a time`,
  requestsPerSecond: (max) => `${max} requests a second`,
  clientsPerSecond: (max) => `${max} clients a second`,
} as const satisfies Record<Exclude<keyof Limits, 'hours'>, (max: string) => string>;

/** What the contact center's owners permit. */
export const limits: Check = {
  needs: ['installation'],
  run: ({ installation }) => {
    const { limits: given } = known(installation);
    const texts = Object.entries(LIMIT_TEXTS).flatMap(([name, textOf]) => {
      const max = given[name as keyof typeof LIMIT_TEXTS];
      return max === undefined ? [] : [textOf(whole(max))];
    });
    return ok(
      texts.length === 0
        ? 'none: the pace is found while an import goes'
        : `at most ${texts.join(', ')}`,
    );
  },
};

/** Requests are permitted now. */
export const hours: Check = {
  needs: ['installation'],
  run: ({ installation }) => {
    const { hours: permitted } = known(installation).limits;
    if (!permitted) return ok('requests are permitted at any time');
    const now = Date.now();
    const opens = nextPermitted(permitted, now);
    const text = `requests are permitted ${hoursText(permitted)}`;
    return opens <= now
      ? ok(`${text}, so now`)
      : failed(
          `${text}, so not before ${localText(permitted, opens)} there. An import would wait until then.`,
          EXIT.stopped,
        );
  },
};
