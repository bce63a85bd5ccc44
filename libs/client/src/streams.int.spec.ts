import { afterEach, describe, expect, it } from '@jest/globals';
import { json } from '@millrace/testkit/serve';
import type { MillraceClient } from './client.js';
import { UnexpectedResponseError } from './read-response.js';
import type { RunEvent } from './run-events.js';
import { startServer, stopServers } from './testing/start-server.js';

afterEach(stopServers);

const start = (respond: Parameters<typeof startServer>[0]) => startServer(respond, { tries: 1 });

const frame = (seq: number) => `id: ${seq}\nevent: change\ndata: {"subject":"run","status":"RUNNING","at":"x"}\n\n`;

const read = async (stream: AsyncIterable<unknown>) => {
  for await (const _part of stream);
};

async function collect(events: AsyncIterable<RunEvent>): Promise<(number | string)[]> {
  const received: (number | string)[] = [];
  for await (const event of events) received.push(event.type === 'end' ? event.status : event.seq);
  return received;
}

describe('the event stream of a run', () => {
  it('continues after the last event after a lost connection, and ends with the run', async () => {
    const { client, received } = await start((_, response, count) => {
      if (count === 2) return json(response, 500, { code: 'internal_error', message: 'starting' });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (count === 1) {
        response.write(frame(1) + frame(2) + 'id: 3\nevent: cha');
        setTimeout(() => response.destroy(), 50);
      } else {
        response.end(`: ping\n\n${frame(2)}${frame(3)}event: end\ndata: {"status":"COMPLETED"}\n\n`);
      }
    });
    expect(await collect(client.runs.events('7'))).toEqual([1, 2, 3, 'COMPLETED']);
    expect(received[0]?.url).toBe('/api/runs/7/events?after=0');
    expect(received[2]?.headers['last-event-id']).toBe('2');
  });

  it('is not requested again after a 4xx response', async () => {
    const { client, received } = await start((_, response) =>
      json(response, 404, { code: 'not_found', message: 'no' }),
    );
    await expect(collect(client.runs.events('7'))).rejects.toMatchObject({ code: 'not_found' });
    expect(received).toHaveLength(1);
  });

  it('ends when its reader stops', async () => {
    const { client } = await start((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(frame(1));
    });
    for await (const event of client.runs.events('7')) {
      expect(event).toMatchObject({ seq: 1 });
      break;
    }
  });
});

it('the notification stream continues after the last number after a lost connection, even if that was a count', async () => {
  const event = (seq: number) => `id: ${seq}\nevent: notification\ndata: {"title":"Number ${seq}"}\n\n`;
  const count = (seq: number) => `id: ${seq}\nevent: count\ndata: {"unseen_count":${seq}}\n\n`;
  const { client, received } = await start((_, response, request) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(request === 1 ? count(4) : `${event(5)}id: 5\nevent: later\ndata: {}\n\n${event(6)}`);
    if (request === 1) setTimeout(() => response.destroy(), 50);
  });
  const events: unknown[] = [];
  for await (const event of client.notifications.stream()) {
    events.push(event.type === 'count' ? `unseen ${event.unseenCount}` : event.notification.title);
    if (event.seq === 6) break;
  }
  expect(events).toEqual(['unseen 4', 'Number 5', 'Number 6']);
  expect(received.map(({ url }) => url)).toEqual(['/api/notifications/stream', '/api/notifications/stream?after=4']);
});

it('a stored log continues at the same byte after a lost connection', async () => {
  const { client, received } = await start((_, response, count) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.write('line 1\nline 2\n');
    if (count === 1) setTimeout(() => response.destroy(), 50);
    else response.end('line 3\n');
  });
  let text = '';
  for await (const chunk of client.subjobs.logs('7', '8', { stream: 'stderr' })) text += Buffer.from(chunk).toString();
  expect(text).toBe('line 1\nline 2\nline 3\n');
  expect(received[0]?.url).toBe('/api/runs/7/subjobs/8/logs?stream=stderr&follow=true');
});

it('a growing log continues after the last byte of the same attempt after a lost connection', async () => {
  const { client, received } = await start((_, response, count) => {
    const offset = count === 1 ? 100 : 107;
    const head = {
      'x-log-state': count === 1 ? 'running' : 'stored',
      'x-log-attempt': '2',
      'x-log-offset': `${offset}`,
    };
    response.writeHead(200, { 'content-type': 'text/plain', ...head });
    response.write(count === 1 ? 'line 1\n' : 'line 2\n');
    if (count < 3) setTimeout(() => response.destroy(), 50);
    else response.end('line 3\n');
  });
  let text = '';
  const attempts: number[] = [];
  const options = { tail: 5, onAttempt: (attempt: number) => void attempts.push(attempt) };
  for await (const chunk of client.subjobs.logs('7', '8', options)) text += Buffer.from(chunk).toString();
  expect(text).toBe('line 1\nline 2\nline 3\n');
  expect(attempts[0]).toBe(2);
  const log = '/api/runs/7/subjobs/8/logs?stream=stdout&follow=true';
  expect(received.map(({ url }) => url)).toEqual([
    `${log}&tail=5`,
    ...Array<string>(2).fill(`${log}&attempt=2&offset=107`),
  ]);
});

it('a stream ends after a lost connection if the server refuses to continue it', async () => {
  const { client, received } = await start(({ url }, response, count) => {
    if (count % 2 === 0) return json(response, 401, { code: 'unauthenticated', message: 'ended' });
    const type = url.includes('/logs') ? 'text/plain' : 'text/event-stream';
    response.writeHead(200, { 'content-type': type }).write(frame(1));
    setTimeout(() => response.destroy(), 50);
  });
  await expect(read(client.runs.events('7'))).rejects.toMatchObject({ code: 'unauthenticated' });
  await expect(read(client.subjobs.logs('7', '8'))).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(received).toHaveLength(4);
});

describe.each([
  ['runs.events', 'GET /api/runs/{id}/events', 'text/event-stream', ({ runs }) => runs.events('1')],
  ['notifications.stream', 'GET /api/notifications/stream', 'text/event-stream', (c) => c.notifications.stream()],
  ['subjobs.logs', 'GET /api/runs/{id}/subjobs/{subjobId}/logs', 'text/plain', (c) => c.subjobs.logs('1', '2')],
  [
    'sandboxes.exec',
    'POST /api/sandbox/exec',
    'text/event-stream',
    ({ sandboxes }) => sandboxes.exec({ sessionId: 's', command: 'true' }),
  ],
] satisfies [string, string, string, (client: MillraceClient) => AsyncIterable<unknown>][])(
  '%s',
  (_name, operation, expected, open) => {
    it.each([
      ['text/html; charset=utf-8', `the response is text/html instead of ${expected}`],
      ['application/json', `the response is application/json instead of ${expected}`],
      [undefined, `the response is not ${expected}`],
    ])('throws an UnexpectedResponseError after one response of the type %s', async (type, problem) => {
      const { client, received, url } = await start((_, response) =>
        response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end('<html>'),
      );
      const error = await read(open(client)).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(UnexpectedResponseError);
      expect((error as Error).message).toBe(
        `${url} does not respond to ${operation} as a Millrace server does: ${problem}. Is the address right?`,
      );
      expect(received).toHaveLength(1);
    });
  },
);

it.each([
  ['an id', (client: MillraceClient) => client.runs.events('..'), 'The path parameter "id" must not be ".."'],
  [
    'a function',
    (client: MillraceClient) =>
      client.subjobs.logs('1', '2', {
        onAttempt: () => {
          throw new Error('my mistake');
        },
      }),
    'my mistake',
  ],
])('a stream fails at once by %s of the caller that is wrong', async (_, open, message) => {
  const { client, received } = await start((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'x-log-attempt': '1' }).end();
  });
  await expect(read(open(client))).rejects.toThrow(message);
  expect(received.length).toBeLessThan(2);
});

it('a stream fails at once if its source of tokens fails', async () => {
  const tokens = { current: () => Promise.reject(new Error('signed out')) };
  const { client } = await startServer(() => undefined, { tries: 1, token: tokens });
  await expect(read(client.notifications.stream())).rejects.toThrow('signed out');
});
