import * as http from 'node:http';
import * as https from 'node:https';
import type { DockerHost } from './docker-host.js';

/** The daemon refused a request. The message is its own. */
export class DockerApiError extends Error {
  override name = 'DockerApiError';
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export interface DockerRequest {
  /** Query parameters; null leaves one out. */
  query?: Record<string, string | null>;
  body?: unknown;
  headers?: Record<string, string>;
  /** How long the response may take, or the beginning of a stream; null for no limit. One minute by default. */
  timeoutMs?: number | null;
}

/** Responses that are read as a whole, which are small: the JSON of one object. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/**
 * Requests to the Engine API of a Docker daemon (docs.docker.com/reference/api/engine), each on a connection of its own.
 * Streams of containers stay open for hours, so their time is limited until they begin.
 */
export class DockerApi {
  private prefix = '';

  constructor(readonly host: DockerHost) {}

  /** Version of the API that requests use, such as `1.41`. */
  useVersion(version: string): void {
    this.prefix = `/v${version}`;
  }

  /** Sends a request, and reads its JSON; undefined if the response has no body. @throws DockerApiError, errors of the connection */
  async request(method: string, path: string, request: DockerRequest = {}): Promise<unknown> {
    const text = await readText(await this.stream(method, path, request));
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }

  /** Sends a request whose response is read as a stream. @throws DockerApiError, errors of the connection */
  async stream(method: string, path: string, request: DockerRequest = {}): Promise<http.IncomingMessage> {
    const response = await this.send(method, path, request);
    const { statusCode = 500 } = response;
    // 304: the container is in the requested state already.
    if (statusCode < 400) return response;
    throw new DockerApiError(statusCode, readMessage(await readText(response)));
  }

  private send(method: string, path: string, { query, body, headers, timeoutMs = TIMEOUT_MS }: DockerRequest) {
    const { tls, options } = this.host;
    const parameters = Object.entries(query ?? {}).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
    const search = parameters.length === 0 ? '' : `?${new URLSearchParams(parameters).toString()}`;
    const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    return new Promise<http.IncomingMessage>((resolve, reject) => {
      const request = (tls ? https : http).request({
        ...options,
        agent: false,
        method,
        path: `${this.prefix}${path}${search}`,
        // Unix sockets have no host name, but HTTP needs one.
        headers: {
          host: 'docker',
          ...(content && { 'content-type': 'application/json', 'content-length': content.length }),
          ...headers,
        },
      });
      const expire = () => request.destroy(new Error(`The Docker daemon did not respond within ${timeoutMs} ms.`));
      const timer = timeoutMs === null ? undefined : setTimeout(expire, timeoutMs);
      request.on('response', (response) => {
        clearTimeout(timer);
        resolve(response);
      });
      request.on('error', reject);
      request.on('close', () => clearTimeout(timer));
      request.end(content);
    });
  }
}

function readMessage(text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    if (typeof message === 'string') return message.trim();
  } catch {
    // A proxy can respond with something else.
  }
  return text.trim().slice(0, 500);
}

async function readText(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_RESPONSE_BYTES) throw new Error('The Docker daemon sent a response that is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
