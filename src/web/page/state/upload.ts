import type { Answer } from '../../shared/routes.js';
import { ownProblem } from '../messages/own-problems.js';
import { CallError, problemIn } from './call.js';
import { language } from './language.js';
import { session } from './session.js';

/**
 * Sends a file in pieces, which the browser reads as they go. `fetch` does not show how much has been sent.
 * @throws CallError with what the server says
 */
export function upload(
  list: string,
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<Answer<'PUT /api/lists/:list/file'>> {
  const request = new XMLHttpRequest();
  request.open('PUT', `/api/lists/${list}/file`);
  request.responseType = 'json';
  request.setRequestHeader('x-cardline-session', session.value ?? '');
  request.setRequestHeader('accept-language', language);
  request.setRequestHeader('content-type', 'application/octet-stream');
  request.upload.onprogress = ({ loaded }) => onProgress(loaded / Math.max(1, file.size));
  signal.addEventListener('abort', () => request.abort(), { once: true });
  return new Promise((resolve, reject) => {
    request.onload = () => {
      // The server has checked it by the same table.
      const answer = request.response as Answer<'PUT /api/lists/:list/file'>;
      if (request.status === 200) resolve(answer);
      // A browser sends it again by itself where the connection was lost, while its list is being removed.
      else if (LOST.includes(request.status)) reject(brokenOff());
      else
        void problemIn({ status: request.status, json: () => Promise.resolve(answer) }).then(
          reject,
        );
    };
    request.onerror = () => reject(brokenOff());
    request.onabort = () => reject(new DOMException('stopped', 'AbortError'));
    request.send(file);
  });
}

/** There is no such list, or no such file any more. */
const LOST = [404, 410];

const brokenOff = (): CallError => new CallError(0, ownProblem('broken_off'));
