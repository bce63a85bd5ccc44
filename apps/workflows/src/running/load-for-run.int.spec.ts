import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Request } from '@millrace/contracts/kit/operation';
import { createFolder } from '@millrace/contracts/workflows/storage';
import { loadForRun } from '@millrace/contracts/workflows/workflows';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import type { FakeService } from '@millrace/testkit/fake-service';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { seedAs, chainOf, moduleNode } from '../testing/seed.js';

let system: System;
let runs: FakeService;
beforeAll(async () => {
  system = await startApps([start]);
  runs = await system.fake('runs');
});
afterAll(() => system.close());

type RunRequest = Partial<Request<typeof loadForRun>['body']>;

const load = (caller: Caller, workflow: string, more: RunRequest = {}) =>
  runs.call(loadForRun, { workflow, files: [], ...more }, caller);

const seeded = async () => {
  const caller = ownerCaller();
  const seed = seedAs(system.callAs, caller);
  return { caller, seed, space: await seed.space({ name: 'Home' }) };
};

describe('loading a workflow for a run', () => {
  it('returns the latest or the requested version, and the names to show', async () => {
    const { caller, seed, space } = await seeded();
    const project = await seed.project(space.id);
    const { id } = await seed.workflow({ project_info: project.id }, space.id);
    const first = await seed.version(id, chainOf(1));
    const second = await seed.version(id, chainOf(2));
    expect(await load(caller, id)).toEqual({
      workflow: {
        id,
        name: 'Workflow',
        space: space.id,
        spaceName: 'Home',
        project: project.id,
        projectName: 'Project',
      },
      version: second.id,
      author: caller.user,
      content: { data: chainOf(2), modules: {} },
      files: [],
    });
    const earlier = await load(caller, id, { version: first.id });
    expect(earlier).toMatchObject({ version: first.id, content: { data: chainOf(1) } });
  });

  it('omits data that the engine has already', async () => {
    const { caller, seed, space } = await seeded();
    const { id, version } = await seed.saved(chainOf(1), space.id);
    const known = version.id;
    expect(await load(caller, id, { known })).toMatchObject({
      version: version.id,
      content: null,
      workflow: { project: null, projectName: null },
    });
    const next = await seed.version(id, chainOf(2));
    expect(await load(caller, id, { known })).toMatchObject({ version: next.id, content: { data: chainOf(2) } });
  });

  it('includes its modules at all levels, each in its current version', async () => {
    const { caller, seed, space } = await seeded();
    const inner = await seed.saved(chainOf(1), space.id);
    const middle = await seed.saved({ nodes: moduleNode('m-1', inner.version.id) }, space.id);
    const outer = await seed.saved(
      { nodes: { ...moduleNode('m-1', middle.id), ...moduleNode('m-2', inner.id) } },
      space.id,
    );
    const latest = await seed.version(inner.id, chainOf(3));
    const { content } = await load(caller, outer.id, { known: outer.version.id });
    const facts = { space: space.id, author: caller.user };
    expect(content?.modules).toEqual({
      [middle.id]: { ...facts, workflow_id: middle.id, version: middle.version.id, data: middle.version.data },
      [inner.version.id]: { ...facts, workflow_id: inner.id, version: inner.version.id, data: chainOf(1) },
      [inner.id]: { ...facts, workflow_id: inner.id, version: latest.id, data: chainOf(3) },
    });
    expect(compilePlan(content?.data, content?.modules ?? {}).steps).toHaveLength(1 + 3);
  });

  it('fails if there is nothing to run', async () => {
    const { caller, seed, space } = await seeded();
    const empty = await seed.workflow({}, space.id);
    const other = await seed.saved(chainOf(1), space.id);
    await expect(load(caller, empty.id)).rejects.toMatchObject({ code: 'validation_error' });
    for (const version of [other.version.id, randomUUID(), 'x']) {
      await expect(load(caller, empty.id, { version })).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('requires access to the workflow', async () => {
    const { caller, seed, space } = await seeded();
    const { id } = await seed.saved(chainOf(1), space.id);
    expect(await load(memberCaller(caller, { [space.id]: 'read' }), id)).toMatchObject({ workflow: { id } });
    const insights = memberCaller(caller, { [space.id]: 'insights' });
    await expect(load(insights, id)).rejects.toMatchObject({ code: 'forbidden' });
    for (const outsider of [memberCaller(caller, {}), ownerCaller()]) {
      await expect(load(outsider, id)).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});

describe("the stored files among a run's inputs", () => {
  it("are found by their paths in the caller's vault, together with the workflow", async () => {
    const { caller, seed, space } = await seeded();
    const { id } = await seed.saved(chainOf(1), space.id);
    await seed.file('in/words.txt', 'abc');
    await seed.file('in/ünï.txt'.normalize('NFC'), 'de');
    const outsider = ownerCaller();
    await seedAs(system.callAs, outsider).file('in/other.txt');
    const paths = ['in/words.txt', 'in/other.txt', '../words.txt', 'in/ünï.txt'.normalize('NFD'), '', 'in/words.txt'];
    const { files } = await load(caller, id, { files: paths });
    const words = { name: 'words.txt', sha256: 'abc'.repeat(64).slice(0, 64), size: 3 };
    expect(files).toEqual([
      words,
      { problem: 'File "in/other.txt" does not exist in this vault.' },
      { problem: 'The request is not valid.' },
      { name: 'ünï.txt'.normalize('NFC'), sha256: 'de'.repeat(32), size: 2 },
      { problem: 'The request is not valid.' },
      words,
    ]);
  });

  it('may be folders, with all files in them', async () => {
    const { caller, seed, space } = await seeded();
    const { id } = await seed.saved(chainOf(1), space.id);
    for (const path of ['in/b', 'in/deep/a', 'in_/other', 'inn']) await seed.file(path, 'abc');
    await seedAs(system.callAs, ownerCaller()).file('in/foreign');
    await system.callAs(caller, createFolder, { body: { path: 'empty' } });
    const { files } = await load(caller, id, { files: ['in', 'in/deep', 'empty', 'in/deep/a', 'none', 'in'] });
    const content = { sha256: 'abc'.repeat(64).slice(0, 64), size: 3 };
    const all = { folder: ['b', 'deep/a'].map((path) => ({ path, ...content })) };
    expect(files).toEqual([
      all,
      { folder: [{ path: 'a', ...content }] },
      { folder: [] },
      { name: 'a', ...content },
      { problem: 'File "none" does not exist in this vault.' },
      all,
    ]);
  });

  it('are refused if the folders contain more than one response can carry', async () => {
    const { caller, seed, space } = await seeded();
    const { id } = await seed.saved(chainOf(1), space.id);
    await seed.file('full/last');
    const fill = (count: number, name: string) =>
      system.database.query(
        `INSERT INTO workflows.file (id, vault_id, path, name, folder, size, sha256, author, modified_at)
         SELECT gen_random_uuid(), $1, 'full/' || $3 || n, $3 || n, 'full', 1, repeat('a', 64), $1, now()
         FROM generate_series(1, $2::int) n`,
        [caller.vault, count, name],
      );
    await fill(9_999, 'n');
    const [whole] = (await load(caller, id, { files: ['full'] })).files;
    expect(whole).toMatchObject({ folder: { length: 10_000 } });
    await fill(1, 'more');
    const { files } = await load(caller, id, { files: ['full', 'full/last'] });
    expect(files).toMatchObject([{ problem: expect.stringContaining('10000 files') }, { name: 'last' }]);
  });
});
