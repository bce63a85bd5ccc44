import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { findPort } from './start-dashboard.mjs';

/** @type {import('node:net').Server[]} */
const servers = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

/** @param {number} port */
const occupy = (port) =>
  new Promise((resolve) => {
    servers.push(createServer().listen(port, '127.0.0.1', () => resolve(undefined)));
  });

describe('findPort', () => {
  it('skips ports that are in use', async () => {
    const first = await findPort(15_400);
    await occupy(first);
    expect(await findPort(first)).toBeGreaterThan(first);
  });
});
