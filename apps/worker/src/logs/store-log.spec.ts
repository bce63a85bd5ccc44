import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { Masker } from '../masking/masker.js';
import { storeLog } from './store-log.js';

const folder = mkdtempSync(join(tmpdir(), 'store-log-'));
const store = new DiskStore(join(folder, 'store'));
afterAll(() => rmSync(folder, { recursive: true }));

const SECRET = 'hunter22-token';

async function storeText(text: string, masker: Masker | null, bounds: { head: number; tail: number; cut?: boolean }) {
  const path = join(folder, 'stderr');
  writeFileSync(path, text);
  const log = await storeLog(path, store, masker, bounds);
  return { log, text: log ? (await store.readAll(log.sha256)).toString() : '' };
}

describe('the stored log of a command', () => {
  it('is the beginning and the end of its output if that is too long', async () => {
    const { log, text } = await storeText('0123456789abcdef', null, { head: 3, tail: 5 });
    expect([text, log]).toEqual(['012bcdef', { sha256: log?.sha256, size: 8, truncated: true, head: 3, total: 16 }]);
  });

  it('is complete up to the limit', async () => {
    const { log, text } = await storeText('01234567', null, { head: 3, tail: 5 });
    expect([text, log]).toEqual(['01234567', { sha256: log?.sha256, size: 8, truncated: false }]);
  });

  it('shows no part of a secret value, wherever head and tail are cut', async () => {
    const masker = Masker.of([SECRET]);
    const part = fc.oneof(fc.constant(SECRET), fc.constantFrom('x', 'yz\n', 'words and more\n'));
    const bounds = fc.record({ head: fc.integer({ min: 1, max: 40 }), tail: fc.integer({ min: 1, max: 40 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { minLength: 1, maxLength: 20 }),
        bounds,
        fc.boolean(),
        async (parts, bounds, cut) => {
          const shown = parts.join('').replaceAll(SECRET, '***');
          const { log, text } = await storeText(parts.join(''), masker, { ...bounds, cut });
          expect(text).not.toMatch(/hun|ter22|tok/);
          // At the end of a log that was cut off, the possible beginning of a value is left out.
          if (cut) return;
          const { head, tail } = bounds;
          expect(text).toBe(shown.length <= head + tail ? shown : shown.slice(0, head) + shown.slice(-tail));
          expect(log?.total ?? log?.size).toBe(shown.length);
        },
      ),
      { numRuns: 100 },
    );
  });
});
