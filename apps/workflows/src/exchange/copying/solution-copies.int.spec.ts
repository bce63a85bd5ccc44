import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { getVersion } from '@millrace/contracts/workflows/versions';
import {
  copyWorkflowForSolution,
  discardWorkflowCopy,
  getWorkflow,
  listWorkflows,
} from '@millrace/contracts/workflows/workflows';
import { newId } from '@millrace/persistence/ids';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import type { FakeService } from '@millrace/testkit/fake-service';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../../start.js';
import { seedAs, chainOf } from '../../testing/seed.js';

let system: System;
let datasets: FakeService;
beforeAll(async () => {
  system = await startApps([start]);
  datasets = await system.fake('datasets');
});
afterAll(() => system.close());

const seeded = async () => {
  const caller = ownerCaller();
  const seed = seedAs(system.callAs, caller);
  const [from, to] = [await seed.space(), await seed.space()];
  const project = await seed.project(to.id);
  const { id } = await seed.saved(chainOf(1), from.id);
  await seed.version(id, chainOf(3));
  const copy = newId();
  const body = { workflow: id, copy, space: to.id, project: project.id };
  const requestCopy = (who: Caller = caller, more: object = {}) =>
    datasets.call(copyWorkflowForSolution, { ...body, ...more }, who);
  const discard = (vault = caller.vault) => datasets.call(discardWorkflowCopy, { vault, copy });
  const get = (who = caller) => system.callAs(who, getWorkflow, { params: { id: copy } });
  const count = async () => (await system.callAs(caller, listWorkflows)).count;
  return { caller, seed, from: from.id, to: to.id, project: project.id, copy, requestCopy, discard, get, count };
};

describe('a copy of a workflow for a solution', () => {
  it('has the latest version, the requested id, and the requested space and project', async () => {
    const { caller, to, project, copy, requestCopy, get } = await seeded();
    expect(await requestCopy()).toEqual({ id: copy });
    expect(await get()).toMatchObject({ name: 'Workflow', space_info: to, project_info: project, author: caller.user });
    const version = await system.callAs(caller, getVersion, { params: { id: copy, versionId: 'latest' } });
    expect(version).toMatchObject({ number: 1, data: chainOf(3) });
  });

  it('is created once, even if it is requested repeatedly', async () => {
    const { requestCopy, count } = await seeded();
    await requestCopy();
    await requestCopy();
    expect(await count()).toBe(2);
  });

  it('requires access to the workflow and the right to edit in the target space', async () => {
    const { caller, from, to, requestCopy, count, project } = await seeded();
    const cases: [Record<string, 'insights' | 'read' | 'write'>, string][] = [
      [{ [to]: 'write' }, 'not_found'],
      [{ [from]: 'insights', [to]: 'write' }, 'forbidden'],
      [{ [from]: 'read', [to]: 'read' }, 'forbidden'],
      [{ [from]: 'read' }, 'not_found'],
    ];
    for (const [spaces, code] of cases) {
      await expect(requestCopy(memberCaller(caller, spaces))).rejects.toMatchObject({ code });
    }
    await expect(requestCopy(ownerCaller())).rejects.toMatchObject({ code: 'not_found' });
    await expect(requestCopy(caller, { space: from, project })).rejects.toMatchObject({ code: 'validation_error' });
    expect(await count()).toBe(1);
    await requestCopy(memberCaller(caller, { [from]: 'read', [to]: 'write' }));
    expect(await count()).toBe(2);
  });

  it('can be discarded repeatedly and leaves nothing', async () => {
    const { requestCopy, discard, get } = await seeded();
    await discard();
    await requestCopy();
    await discard(ownerCaller().vault);
    await get();
    await discard();
    await discard();
    await expect(get()).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is not discarded after a user has saved to it', async () => {
    const { seed, copy, requestCopy, discard, get } = await seeded();
    await requestCopy();
    await seed.version(copy, chainOf(2));
    await discard();
    expect(await get()).toMatchObject({ id: copy });
  });
});
