import type { AnyOperation } from '@millrace/contracts/kit/operation';
import { checkedFetch } from './checked-fetch.js';
import type { SampleRequest } from './sample-request.js';
import { systemUrl } from './sign-up.js';

export interface SendResult {
  status: number;
  code?: string;
}

const hasBody = ({ method }: AnyOperation) => method !== 'GET' && method !== 'DELETE';

/** Sends a request to an operation, with an Authorization header or none. It does not read a stream. */
export async function send(
  operation: AnyOperation,
  { params = {}, query = {}, body = {} }: SampleRequest,
  authorization: string | null,
): Promise<SendResult> {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '1');
  const headers: Record<string, string> = authorization === null ? {} : { authorization };
  const form = operation.transfer === 'upload' ? fileForm() : null;
  if (hasBody(operation) && !form) headers['content-type'] = 'application/json';
  const stop = new AbortController();
  const response = await checkedFetch(`${systemUrl()}/api${path}?${new URLSearchParams(query).toString()}`, {
    method: operation.method,
    headers,
    signal: stop.signal,
    ...(hasBody(operation) && { body: form ?? JSON.stringify(body) }),
  });
  const { status } = response;
  if (status < 400) {
    stop.abort();
    return { status };
  }
  const { code } = (await response.json()) as { code: string };
  return { status, code };
}

function fileForm(): FormData {
  const form = new FormData();
  form.set('path', 'mine/sent.txt');
  form.set('file', new Blob(['sent']), 'sent.txt');
  return form;
}
