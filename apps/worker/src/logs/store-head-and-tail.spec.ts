import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { storeHeadAndTail } from './store-head-and-tail.js';

const folder = mkdtempSync(join(tmpdir(), 'keep-ends-'));
const store = new DiskStore(folder);
afterAll(() => rmSync(folder, { recursive: true }));

async function* stream(parts: string[]) {
  for (const part of parts) yield Buffer.from(part);
}

it('storeHeadAndTail stores the first and last bytes of a log, however it is divided into chunks', async () => {
  const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\n'), maxLength: 9 }), { maxLength: 12 });
  const bounds = fc.record({ head: fc.integer({ min: 1, max: 8 }), tail: fc.integer({ min: 1, max: 8 }) });
  await fc.assert(
    fc.asyncProperty(pieces, bounds, async (parts, { head, tail }) => {
      const log = parts.join('');
      const { sha256, ...stored } = await storeHeadAndTail(stream(parts), store, { head, tail });
      const text = (await store.readAll(sha256)).toString();
      if (log.length <= head + tail) {
        expect([text, stored]).toEqual([log, { size: log.length, truncated: false }]);
      } else {
        expect(text).toBe(log.slice(0, head) + log.slice(-tail));
        expect(stored).toEqual({ size: head + tail, truncated: true, head, total: log.length });
      }
    }),
    { numRuns: 200 },
  );
});
