import { ReadableStream } from 'node:stream/web';
import type { FastifyInstance, FastifyRequest, InjectOptions } from 'fastify';
import type { Fetch } from '@millrace/client';

const NO_CONTENT = [204, 304];

/**
 * A `fetch` that calls the REST API for a request to this server: with its credentials, address and request id, through the whole
 * server, but not over the network.
 */
export function injectFetch(from: FastifyRequest, userAgent: string): Fetch {
  const server: FastifyInstance = from.server;
  return async (url, { method = 'GET', headers, body, signal }) => {
    const { pathname, search } = new URL(url);
    const options: InjectOptions = {
      method,
      url: `${pathname}${search}`,
      remoteAddress: from.ip,
      headers: {
        ...(headers as Record<string, string>),
        host: new URL(from.publicOrigin).host,
        authorization: from.headers.authorization,
        'x-request-id': from.id,
        'user-agent': userAgent,
      },
      payloadAsStream: true,
      ...(typeof body === 'string' && { payload: body }),
      ...(signal && { signal }),
    };
    const response = await server.inject(options);
    const stream = response.stream();
    // light-my-request 6.8 emits `drain` with the size to read, which `pipeline` takes for an error of the response.
    stream._read = () => void response.raw.res.emit('drain');
    const init = { status: response.statusCode, headers: toHeaders(response.headers) };
    if (NO_CONTENT.includes(response.statusCode)) {
      stream.resume();
      return new Response(null, init);
    }
    return new Response(ReadableStream.from(stream) as BodyInit, init);
  };
}

function toHeaders(from: Record<string, unknown>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(from)) {
    if (typeof value === 'string' || typeof value === 'number') headers.set(name, String(value));
  }
  return headers;
}
