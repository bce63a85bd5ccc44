import { describe, expect, it } from '@jest/globals';
import { postgresSettings } from './postgres-settings.mjs';

const GIB = 1024 ** 3;

describe('postgresSettings', () => {
  it('makes the server listen on loopback only and keep every commit', () => {
    const settings = postgresSettings({ port: 5000, memoryBytes: 8 * GIB, durable: true });
    expect(settings).toEqual(
      expect.arrayContaining(['port=5000', 'listen_addresses=127.0.0.1', 'fsync=on', 'synchronous_commit=on']),
    );
  });

  it('scales the memory settings with the memory of the machine, within bounds', () => {
    const buffers = (/** @type {number} */ memoryBytes) =>
      postgresSettings({ port: 5000, memoryBytes, durable: true }).find((setting) =>
        setting.startsWith('shared_buffers'),
      );
    expect([1, 16, 512].map((gib) => buffers(gib * GIB))).toEqual([
      'shared_buffers=128MB',
      'shared_buffers=492MB',
      'shared_buffers=1024MB',
    ]);
  });
});
