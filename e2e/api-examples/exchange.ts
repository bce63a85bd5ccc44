import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import type { Content, OperationExample } from '@millrace/contracts/openapi/examples/operation-example';
import { checkedFetch } from '../support/checked-fetch.js';
import type { SampleRequest } from '../support/sample-request.js';
import { systemUrl } from '../support/sign-up.js';

/** How long a stream may be silent before it is regarded as complete. */
const STREAM_SILENCE_MS = 1_500;

export interface Exchange extends OperationExample {
  status: number;
}

/** The content that a test sends, for operations whose body is not JSON. */
const TEXT_CONTENT = 'one\ntwo\n';

function readRequestContent(operation: AnyOperation, { body }: SampleRequest): Content | undefined {
  const { method, transfer } = operation;
  if (transfer === 'upload') {
    return { type: 'multipart/form-data', value: { path: 'lists/lines.txt', file: TEXT_CONTENT } };
  }
  if (transfer === 'content') return { type: 'application/octet-stream', value: TEXT_CONTENT };
  if (body !== undefined) return { type: 'application/json', value: body };
  return method === 'GET' || method === 'DELETE' ? undefined : { type: 'application/json', value: {} };
}

/** Whether the operation reads a body. Others accept an empty one. */
const readsBody = ({ body }: AnyOperation): boolean =>
  !('shape' in body) || Object.keys(body.shape as object).length > 0;

function encode({ type, value }: Content): FormData | string {
  if (type === 'application/json') return JSON.stringify(value);
  if (typeof value === 'string') return value;
  const { path, file } = value as { path: string; file: string };
  const form = new FormData();
  form.set('path', path);
  form.set('file', new Blob([file]), 'lines.txt');
  return form;
}

/** Sends a request to an operation and reads the whole response. Of an endless stream it reads what arrives first. */
export async function exchange(
  operation: AnyOperation,
  sample: SampleRequest,
  authorization: string | null,
): Promise<Exchange> {
  const { query = {} } = sample;
  // A sample request may also have parameters of related operations.
  const params = Object.fromEntries(
    Object.entries(sample.params ?? {}).filter(([name]) => operation.path.includes(`{${name}}`)),
  );
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const request = readRequestContent(operation, sample);
  const stop = new AbortController();
  const response = await checkedFetch(`${systemUrl()}/api${path}?${new URLSearchParams(query).toString()}`, {
    method: operation.method,
    headers: {
      ...(authorization !== null && { authorization }),
      ...(request && request.type !== 'multipart/form-data' && { 'content-type': request.type }),
    },
    signal: stop.signal,
    ...(request && { body: encode(request) }),
  });
  const content = await readContent(response);
  stop.abort();
  return {
    ...(Object.keys(params).length > 0 && { params }),
    ...(Object.keys(query).length > 0 && { query }),
    ...(request && readsBody(operation) && { request }),
    ...(content && { response: content }),
    status: response.status,
  };
}

async function readContent(response: Response): Promise<Content | undefined> {
  const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
  const text = type === 'text/event-stream' ? await readStream(response) : await response.text();
  if (text === '' && type === '') return undefined;
  if (type === 'application/zip') return { type, value: '(a zip archive)' };
  return { type, value: type === 'application/json' ? (JSON.parse(text) as unknown) : text };
}

/** Reads a stream until it ends or is silent. */
async function readStream({ body }: Response): Promise<string> {
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const chunk = await Promise.race([reader.read(), sleep(STREAM_SILENCE_MS, null)]);
    if (!chunk || chunk.done) return text;
    text += decoder.decode(chunk.value, { stream: true });
  }
}
