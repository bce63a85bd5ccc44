import type { Fetch } from '@millrace/sdk/transport';
import { expectDescribed } from './expect-described.js';
import { keepSecretsIn } from './keep-secret.js';

/**
 * As `fetch`, notes the secrets that go to and fro, and holds the status against the description of the API; for every
 * client that a test makes.
 */
export const attentiveFetch: Fetch = async (url, init) => {
  if (typeof init.body === 'string') keepSecretsIn(parse(init.body));
  const response = await fetch(url, init);
  expectDescribed(init.method ?? 'GET', url, response.status);
  if (response.headers.get('content-type')?.includes('application/json')) {
    keepSecretsIn(parse(await response.clone().text()));
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
