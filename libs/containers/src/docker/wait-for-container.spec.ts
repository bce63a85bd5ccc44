import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { DockerApi } from './docker-api.js';
import { waitForContainer } from './wait-for-container.js';

let folder: string;
let socketPath: string;
let server: Server;
/** Responses of requests that wait for the end of the container. */
let waiting: ServerResponse[];
let requests: string[];
let state: { Running: boolean; ExitCode: number } | null;
const end = new AbortController();

/** The requests of the Engine API for one container, with the responses that a daemon of Docker 20.10 gives. */
async function listen(): Promise<void> {
  server = createServer((request, response) => {
    const route = `${request.method} ${request.url}`;
    requests.push(route);
    if (state === null) {
      response.statusCode = 404;
      return response.end('{"message":"No such container: c"}');
    }
    if (route === 'GET /containers/c/json') return response.end(JSON.stringify({ State: state }));
    if (!state.Running) return response.end(JSON.stringify({ StatusCode: state.ExitCode }));
    return waiting.push(response);
  });
  server.listen(socketPath);
  await once(server, 'listening');
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-wait-'));
  socketPath = join(folder, 'docker.sock');
  [waiting, requests, state] = [[], [], { Running: true, ExitCode: 0 }];
  await listen();
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const wait = (outageTimeoutMs?: number) =>
  waitForContainer(
    new DockerApi({ address: `unix://${socketPath}`, tls: false, options: { socketPath } }),
    'c',
    end.signal,
    outageTimeoutMs,
  );

/** Waits until so many requests wait for the end of the container. */
async function untilWaiting(count: number): Promise<void> {
  while (waiting.length < count) await sleep(5);
}

it('the end of a container is its exit code', async () => {
  const code = wait();
  await untilWaiting(1);
  waiting[0]?.end('{"StatusCode":3}');
  expect(await code).toBe(3);
  expect(requests).toEqual(['POST /containers/c/wait']);
});

it('a lost connection is repeated while the container runs', async () => {
  const code = wait();
  await untilWaiting(1);
  waiting[0]?.destroy();
  await untilWaiting(2);
  waiting[1]?.end('{"StatusCode":0}');
  expect(await code).toBe(0);
  expect(requests).toEqual(['POST /containers/c/wait', 'GET /containers/c/json', 'POST /containers/c/wait']);
});

it('a container that has ended in the meantime is found', async () => {
  const code = wait();
  await untilWaiting(1);
  state = { Running: false, ExitCode: 7 };
  waiting[0]?.destroy();
  expect(await code).toBe(7);
});

it('a daemon that restarts is waited for', async () => {
  const code = wait();
  await untilWaiting(1);
  server.closeAllConnections();
  server.close();
  await sleep(400);
  await listen();
  await untilWaiting(2);
  waiting[1]?.end('{"StatusCode":4}');
  expect(await code).toBe(4);
});

it('a container that ended while its daemon was away is lost, because the daemon may have ended it', async () => {
  const code = wait();
  await untilWaiting(1);
  state = { Running: false, ExitCode: 0 };
  server.closeAllConnections();
  server.close();
  await sleep(400);
  await listen();
  expect(await code).toBeNull();
});

it('a container is lost if its daemon stays away, or no longer has it', async () => {
  const away = wait(300);
  await untilWaiting(1);
  server.closeAllConnections();
  server.close();
  expect(await away).toBeNull();
  await listen();
  state = null;
  expect(await wait()).toBeNull();
});
