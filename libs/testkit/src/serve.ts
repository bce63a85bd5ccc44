import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Starts an HTTP server in this process that responds with `respond` and records the requests it receives. */
export async function serve(respond: (request: ReceivedRequest, response: ServerResponse, count: number) => void) {
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const record = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: body.toString(),
      };
      received.push(record);
      respond(record, response, received.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { received, close, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

export function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
