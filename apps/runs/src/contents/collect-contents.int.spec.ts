import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ObjectStore } from '@millrace/storage/object-store';
import { openStore } from '@millrace/storage/open-store';
import { storageEnv } from '@millrace/storage/settings/storage-env';
import { startS3, type TestS3 } from '@millrace/storage/testing/start-s3';
import { freshDatabase, type FreshDatabase } from '@millrace/testkit/fresh-database';
import { SteppedCollector, type Omission } from './testing/stepped-collector.js';

const TEXTS = ['one', 'two'];
const CONTENTS = TEXTS.map((text) => createHash('sha256').update(text).digest('hex'));

const writer = fc.nat(2);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constant('put' as const), writer, fc.nat(1)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('readRow' as const), writer, fc.nat(3)) },
  { weight: 5, arbitrary: fc.tuple(fc.constant('refer' as const), writer, fc.nat(0)) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('commit' as const), writer, fc.nat(0)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('rollback' as const), writer, fc.nat(0)) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('dereference' as const), writer, fc.nat(3)) },
  ...(
    ['condemn', 'arm', 'fence', 'check', 'beginDeletion', 'endDeletion', 'killDeletion', 'endLeases', 'sweep'] as const
  ).map((name) => ({
    weight: { killDeletion: 1, endLeases: 1, sweep: 1 }[name as string] ?? 3,
    arbitrary: fc.tuple(fc.constant(name), writer, fc.nat(0)),
  })),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function take(collector: SteppedCollector, [name, index, value]: Step): Promise<void> {
  if (name === 'put') await collector.put(index, TEXTS[value] ?? '');
  else if (name === 'dereference') await collector.dereference(value);
  else if (name === 'readRow') await collector.readRow(index, value);
  else if (name === 'refer' || name === 'commit' || name === 'rollback') await collector[name](index);
  else if (name === 'endDeletion' || name === 'killDeletion') await collector.endDeletion(name === 'killDeletion');
  else if (name === 'sweep') await collector.sweep(CONTENTS);
  else await collector[name]();
}

const property = (collector: SteppedCollector) =>
  fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), async (steps) => {
    await collector.reset(CONTENTS);
    for (const next of steps) {
      await take(collector, next);
      expect(await collector.findLost()).toEqual([]);
    }
    expect(await collector.settle(CONTENTS)).toEqual([]);
    expect(await collector.findLost()).toEqual([]);
  });

let fresh: FreshDatabase;
let s3: TestS3;
const folder = mkdtempSync(join(tmpdir(), 'contents-'));
beforeAll(async () => {
  [fresh, s3] = await Promise.all([freshDatabase(), startS3()]);
});
afterAll(async () => {
  await fresh.drop();
  await s3.close();
  rmSync(folder, { recursive: true });
});

const openAt = (settings: Record<string, string>): ObjectStore =>
  openStore(storageEnv.parse({ STORAGE_DIR: join(folder, 'objects'), ...settings }));

describe.each([
  ['on a disk', () => ({}), 200],
  ['at an S3-compatible server', () => ({ STORAGE_URL: s3.url, ...s3.credentials }), 50],
])('the collection of contents %s', (_place, settings, numRuns) => {
  let collector: SteppedCollector;
  beforeAll(async () => {
    collector = new SteppedCollector(fresh, openAt(settings()));
    await collector.open();
  });
  afterAll(() => collector.close());

  it('never loses an object that a row refers to, and deletes all others, whatever is killed when', async () => {
    await fc.assert(property(collector), { numRuns });
  });
});

/** A row is deleted while a process has read its reference. */
const COPY: Step[] = [
  ['put', 0, 0],
  ['refer', 0, 0],
  ['commit', 0, 0],
  ['readRow', 1, 0],
  ['dereference', 0, 0],
  ['condemn', 0, 0],
];
const CHECK: Step[] = [
  ['arm', 0, 0],
  ['fence', 0, 0],
  ['check', 0, 0],
  ['beginDeletion', 0, 0],
];
const END: Step[] = [['endDeletion', 0, 0]];
const REFER: Step[] = [['refer', 1, 0]];
const COMMIT: Step[] = [['commit', 1, 0]];

describe.each<[string, Omission, Step[]]>([
  ['a fence', 'fence', [...COPY, ...REFER, ...CHECK, ...END, ...COMMIT]],
  ['a lock of what is armed', 'lock', [...COPY, ...CHECK.slice(0, 2), ...REFER, ...CHECK.slice(2), ...END, ...COMMIT]],
  ['a check that restored bytes are stored', 'presence', [...COPY, ...CHECK, ...END, ...REFER, ...COMMIT]],
  ['a lease', 'lease', [...COPY, ...CHECK, ...REFER, ...COMMIT, ...END]],
  ['records of objects that are gone', 'tombstones', [...COPY, ...CHECK, ...END, ...REFER, ...COMMIT]],
  ['claims of references', 'claim', [...COPY, ...CHECK, ...END, ...REFER, ...COMMIT]],
])('if a reference is copied while its row is deleted, %s', (guard, omission, steps) => {
  it.each([
    ['keeps the object', null, 0],
    ['is necessary', omission, 1],
  ])('%s', async (_title, omitted, lost) => {
    const own = await freshDatabase();
    const collector = new SteppedCollector(own, openAt({ STORAGE_DIR: join(folder, `${guard} ${lost}`) }), omitted);
    await collector.open();
    for (const next of steps) await take(collector, next);
    const found = await collector.findLost();
    await collector.close();
    await own.drop();
    expect(found).toHaveLength(lost);
  });
});
