import type { Fetch } from '@millrace/client';
import { expectDescribed } from './expect-described.js';
import { recordSecretsIn } from './record-secret.js';

/**
 * Like `fetch`, for all clients in tests. It also records the secrets in requests and responses, and checks the status
 * against the API description.
 */
export const checkedFetch: Fetch = async (url, init) => {
  if (typeof init.body === 'string') recordSecretsIn(parse(init.body));
  const response = await fetch(url, init);
  expectDescribed(init.method ?? 'GET', url, response.status);
  if (response.headers.get('content-type')?.includes('application/json')) {
    recordSecretsIn(parse(await response.clone().text()));
  }
  return response;
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
