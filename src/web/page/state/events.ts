import type { PageProblem } from '../../shared/errors.js';
import { CallError, request } from './call.js';
import type { Answer, Name, NameOf } from '../../shared/routes.js';
import { isBack, noteGone } from './server.js';

interface StreamAsk {
  readonly params?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * The events of a stream, until the server ends it. Each is the whole state, so that a stream that breaks off is asked
 * for again. (`EventSource` cannot send the session's token.)
 * @throws CallError with what the server says
 */
export async function* events<N extends NameOf<'stream'>>(
  name: N & Name,
  ask: StreamAsk,
): AsyncGenerator<Answer<N>> {
  for (;;) {
    const { body } = await request(name, ask);
    if (!body) return;
    try {
      for await (const { event, data } of messages(body)) {
        // The server has checked it by the same table.
        if (event === 'problem') throw new CallError(422, JSON.parse(data) as PageProblem);
        yield JSON.parse(data) as Answer<N>;
      }
      return;
    } catch (error) {
      if (error instanceof CallError || ask.signal.aborted) throw error;
      noteGone();
      await isBack();
    }
  }
}

async function* messages(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<{ event: string; data: string }> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const parts = (text + value).split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const field = (name: string): string =>
          new RegExp(`^${name}: (.*)$`, 'm').exec(part)?.[1] ?? '';
        if (field('data') !== '') yield { event: field('event'), data: field('data') };
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
