import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { MillraceClient } from '@millrace/client';

const files = readdirSync(import.meta.dirname).filter((name) => /^[a-z-]+\.ts$/.test(name));
const modules = await Promise.all(
  files.map(
    async (name) => [name, (await import(join(import.meta.dirname, name))) as { OPERATIONS?: string[] }] as const,
  ),
);

describe('the operations that a file with commands lists', () => {
  const client = new MillraceClient({ baseUrl: 'http://127.0.0.1:1' }) as unknown as Record<string, object>;
  const listed = modules.filter(([, { OPERATIONS }]) => OPERATIONS !== undefined);

  it.each(listed)('%s: are methods of the client', (_, { OPERATIONS = [] }) => {
    for (const operation of OPERATIONS) {
      const [resource = '', method = ''] = operation.split('.');
      expect([operation, typeof (client[resource] as Record<string, unknown> | undefined)?.[method]]).toEqual([
        ...[operation, 'function'],
      ]);
    }
  });
});
