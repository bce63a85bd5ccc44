import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listLoads } from '@millrace/contracts/datasets/loads';
import { newId } from '@millrace/persistence/ids';
import { UNITS } from '@millrace/storage/settings/byte-size';
import { readMetric } from '@millrace/telemetry/testing/read-metric';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import type { IngestTable } from '../testing/ingest-table.js';
import { startIngesting, type IngestingSystem } from '../testing/start-ingesting.js';

const owner = ownerCaller();
let system: IngestingSystem;
let table: IngestTable;
beforeAll(async () => {
  system = await startIngesting(owner, {
    LOAD_MAX_UNPACKED_BYTES: '100M',
    LOAD_MAX_RATIO: '50',
    LOAD_MAX_ROWS: '20000',
  });
});
afterAll(() => system.close());
beforeEach(async () => {
  table = await system.seed([]);
});

/** Lines of 512 KiB that compress a thousandfold. */
const equalLines = (bytes: number) => Buffer.alloc(bytes, `{"a":"${'x'.repeat(512 * 1024 - 9)}"}\n`);
const shortLines = (count: number) => Buffer.alloc(count * 3, '{}\n');

const countLoads = async (outcome: string) =>
  Number(await readMetric(`millrace_table_loads_total{outcome="${outcome}"}`));

async function expectNothingLeft(): Promise<void> {
  expect(await table.rows()).toEqual([]);
  expect(await table.staged()).toEqual([]);
}

describe('an upload that exceeds a limit', () => {
  it.each([
    [
      'gzip with a high ratio',
      'gzip',
      gzipSync(equalLines(70 * UNITS.M)),
      /unpack to more than 50 times as many \(LOAD_MAX_RATIO\)/,
    ],
    [
      'zstd with a high ratio',
      'zstd',
      zstdCompressSync(equalLines(70 * UNITS.M)),
      /unpack to more than 50 times as many \(LOAD_MAX_RATIO\)/,
    ],
    ['too many rows', 'identity', shortLines(20_001), /more than 20,000 rows \(LOAD_MAX_ROWS\)/],
    [
      'too many bytes',
      'identity',
      equalLines(101 * UNITS.M),
      /more than 104,857,600 bytes \(LOAD_MAX_UNPACKED_BYTES\)/,
    ],
  ] as const)(
    'gets 413 with the limit and its value, and leaves nothing behind: %s',
    async (_, encoding, content, message) => {
      const outcome: unknown = await table.append(content, { encoding }).catch((error: unknown) => error);
      // A busy machine reads the content after the response, and then the load fails with the same message.
      const refused =
        outcome instanceof Error
          ? { code: 'payload_too_large', status: 413, message: expect.stringMatching(message) }
          : { status: 'FAILED', error: expect.stringMatching(message) };
      expect(outcome).toMatchObject(refused);
      await expectNothingLeft();
    },
  );
});

it('a packed upload that unpacks to less than 64 MiB is read at any ratio', async () => {
  const content = equalLines(10 * UNITS.M);
  const before = await countLoads('completed');
  expect(await table.append(gzipSync(content), { encoding: 'gzip' })).toMatchObject({
    status: 'COMPLETED',
    rows_new: 20,
  });
  await eventually(async () => expect(await countLoads('completed')).toBe(before + 1));
});

it('the load of a run with too many rows in all files together fails with a message', async () => {
  const workflow = newId();
  await table.bind(workflow, 1);
  const outputs = ['{"a":1}', shortLines(20_000)];
  const before = await countLoads('failed');
  const run = await system.runs.finish({ workflow, outputs });
  const load = await table.load(run);
  expect(load).toMatchObject({
    status: 'FAILED',
    error: expect.stringContaining('more than 20,000 rows (LOAD_MAX_ROWS)'),
  });
  await expectNothingLeft();
  const { results } = await system.callAs(owner, listLoads, { params: { id: table.table.id } });
  expect(results).toMatchObject([{ status: 'FAILED', error: load.error }]);
  await eventually(async () => expect(await countLoads('failed')).toBe(before + 1));
});
