import type { Fetch } from '@millrace/sdk/transport';
import { keepSecretsIn } from './keep-secret.js';

/** As `fetch`, and notes the secrets that go to and fro; for every client that a test makes. */
export const attentiveFetch: Fetch = async (url, init) => {
  if (typeof init.body === 'string') keepSecretsIn(parse(init.body));
  const response = await fetch(url, init);
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
