import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { readJson } from '../write-json.mjs';
import { allotPorts, tryPort } from './allot-ports.mjs';

const folder = mkdtempSync(join(tmpdir(), 'allot-ports-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** @param {number} port */
async function occupy(port) {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe('allotPorts', () => {
  it('assigns different free ports and stores them', async () => {
    const file = join(folder, 'a.json');
    const ports = await allotPorts(file, ['postgres', 'redis', 'nats']);
    expect(new Set(Object.values(ports)).size).toBe(3);
    expect(readJson(file)).toEqual(ports);
    expect(await allotPorts(file, ['postgres', 'redis', 'nats'])).toEqual(ports);
  });

  it('assigns another port if the stored one is in use', async () => {
    const file = join(folder, 'b.json');
    const before = await allotPorts(file, ['redis', 'nats']);
    const other = await occupy(Number(before.redis));
    const after = await allotPorts(file, ['redis', 'nats']);
    other.close();
    expect(after.redis).not.toBe(before.redis);
    expect(after.nats).toBe(before.nats);
  });
});

describe('tryPort', () => {
  it('returns the error code of a port that is in use', async () => {
    const { port } = /** @type {import('node:net').AddressInfo} */ ((await occupied).address());
    expect(await tryPort(port)).toBe('EADDRINUSE');
    (await occupied).close();
  });
  const occupied = occupy(0);
});
