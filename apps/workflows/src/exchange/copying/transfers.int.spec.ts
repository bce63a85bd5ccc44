import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { copyWorkflow, moveWorkflow } from '@millrace/contracts/workflows/exchange';
import { getVersion } from '@millrace/contracts/workflows/versions';
import { getWorkflow, listWorkflows, updateWorkflow } from '@millrace/contracts/workflows/workflows';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../../start.js';
import { seedAs, chainOf, moduleNode } from '../../testing/seed.js';

let system: System;
beforeAll(async () => void (system = await startApps([start])));
afterAll(() => system.close());

const seeded = async () => {
  const caller = ownerCaller();
  const seed = seedAs(system.callAs, caller);
  const [home, away] = [await seed.space({ name: 'Home' }), await seed.space({ name: 'Away' })];
  const copy = (id: string, body: object = {}, as: Caller = caller) =>
    system.callAs(as, copyWorkflow, { params: { id }, body });
  const move = (id: string, body: { space: string; project?: string | null }, as: Caller = caller) =>
    system.callAs(as, moveWorkflow, { params: { id }, body });
  const latest = (id: string, as: Caller = caller) =>
    system.callAs(as, getVersion, { params: { id, versionId: 'latest' } });
  const count = async () => (await system.callAs(caller, listWorkflows)).count;
  return { caller, seed, home, away, copy, move, latest, count };
};

it('a workflow that is moved and put into a project at the same moment is never in a project of another space', async () => {
  const { caller, seed, home, away, move } = await seeded();
  const [here, there] = [await seed.project(home.id), await seed.project(away.id)];
  const ids = await Promise.all(Array.from({ length: 30 }, async () => (await seed.workflow({}, home.id)).id));
  const put = (id: string) =>
    system.callAs(caller, updateWorkflow, { params: { id }, body: { project_info: here.id } }).catch(() => undefined);
  await Promise.all(ids.flatMap((id) => [put(id), move(id, { space: away.id, project: there.id })]));
  const { results } = await system.callAs(caller, listWorkflows, { query: { page_size: 100 } });
  const places = results.map(({ space_info, project_info }) => `${space_info} ${project_info}`);
  expect(new Set(places)).toEqual(new Set([`${away.id} ${there.id}`]));
});

const notFound = { code: 'not_found' };
const forbidden = { code: 'forbidden' };

describe('a copy of a workflow', () => {
  it('is in the same project and has the latest version, byte for byte', async () => {
    const { caller, seed, home, copy, latest } = await seeded();
    const project = await seed.project(home.id);
    const { id } = await seed.workflow({ name: 'Scan', description: 'Looks', project_info: project.id }, home.id);
    await seed.version(id, chainOf(1));
    const data = { ...chainOf(2), config: { big: 9007199254740991 }, zebra: { b: 1, a: 2 } };
    await seed.version(id, data, { name: 'Second', snapshot: true });
    const made = await copy(id);
    expect(made).toMatchObject({
      name: 'Scan (copy)',
      description: 'Looks',
      space_info: home.id,
      project_info: project.id,
      author: caller.user,
      is_app: false,
    });
    const version = await latest(made.id);
    expect(version).toMatchObject({ number: 1, name: 'Second', snapshot: false, run_count: 0 });
    expect(JSON.stringify(version.data)).toBe(JSON.stringify(data));
  });

  it('can be made of an earlier version, under another name, in another space', async () => {
    const { seed, away, home, copy, latest } = await seeded();
    const project = await seed.project(home.id);
    const { id } = await seed.workflow({ project_info: project.id }, home.id);
    const first = await seed.version(id, chainOf(1));
    await seed.version(id, chainOf(2));
    const made = await copy(id, { space: away.id, name: 'Mine', version_id: first.id });
    expect(made).toMatchObject({ name: 'Mine', space_info: away.id });
    expect(made).not.toHaveProperty('project_info');
    expect(await latest(made.id)).toMatchObject({ data: chainOf(1) });
    const inside = await seed.project(away.id);
    expect(await copy(id, { space: away.id, project: inside.id })).toMatchObject({ project_info: inside.id });
    await expect(copy(id, { space: away.id, project: project.id })).rejects.toMatchObject({
      details: { 'body.project': expect.any(String) },
    });
  });

  it('has no version if the original has none', async () => {
    const { seed, copy } = await seeded();
    const { id } = await seed.workflow({ name: 'n'.repeat(255) });
    const made = await copy(id);
    expect(made.name).toBe(`${'n'.repeat(248)} (copy)`);
    expect(made).not.toHaveProperty('latest_version_info');
  });

  it('requires access to the original and the right to edit in the target space', async () => {
    const { caller, seed, home, away, copy, count } = await seeded();
    const { id } = await seed.saved(chainOf(1), home.id);
    const before = await count();
    const as = (spaces: Exclude<Caller['spaces'], 'all'>) => memberCaller(caller, spaces);
    const to = { space: away.id };
    await expect(copy(id, to, as({ [away.id]: 'write' }))).rejects.toMatchObject(notFound);
    await expect(copy(id, to, as({ [away.id]: 'write', [home.id]: 'insights' }))).rejects.toMatchObject(forbidden);
    await expect(copy(id, to, as({ [home.id]: 'read' }))).rejects.toMatchObject(notFound);
    await expect(copy(id, to, as({ [home.id]: 'read', [away.id]: 'execute' }))).rejects.toMatchObject(forbidden);
    await expect(copy(id, {}, as({ [home.id]: 'read', [away.id]: 'write' }))).rejects.toMatchObject(forbidden);
    expect(await count()).toBe(before);
    expect(await copy(id, to, as({ [home.id]: 'read', [away.id]: 'write' }))).toMatchObject({ space_info: away.id });
  });

  it('is refused and leaves nothing if the user cannot use its modules', async () => {
    const { caller, seed, home, away, copy, count } = await seeded();
    const hidden = await seed.saved(chainOf(1), (await seed.space()).id);
    const { id } = await seed.saved({ nodes: moduleNode('m-1', hidden.version.id) }, home.id);
    const member = memberCaller(caller, { [home.id]: 'read', [away.id]: 'write' });
    const before = await count();
    await expect(copy(id, { space: away.id }, member)).rejects.toMatchObject({
      code: 'validation_error',
      details: { 'params.id': expect.any(String), errors: [expect.objectContaining({ code: 'unknown_module' })] },
    });
    expect(await count()).toBe(before);
    expect(await copy(id, { space: away.id })).toMatchObject({ space_info: away.id });
    await seed.version(hidden.id, chainOf(1), { snapshot: true });
    expect(await copy(id, { space: away.id }, member)).toMatchObject({ space_info: away.id });
  });

  it('is not found for a version of another workflow', async () => {
    const { seed, copy, count } = await seeded();
    const [one, other] = [await seed.saved(), await seed.saved()];
    for (const version_id of [other.version.id, randomUUID(), 'x']) {
      await expect(copy(one.id, { version_id })).rejects.toMatchObject(notFound);
    }
    expect(await count()).toBe(2);
  });
});

const moves = (workflow: string) =>
  system.database.query(
    `SELECT payload FROM messaging.outbox WHERE name = 'workflows.workflow.moved' AND payload->>'workflow' = $1`,
    [workflow],
  );

describe('a move of a workflow', () => {
  it('changes the space of the workflow with its versions, and publishes an event', async () => {
    const { caller, seed, home, away, move, latest } = await seeded();
    const { id, version } = await seed.saved(chainOf(1), home.id);
    const inside = await seed.project(away.id, { name: 'Inside' });
    const moved = await move(id, { space: away.id, project: inside.id });
    expect(moved).toMatchObject({ id, space_info: away.id, space_name: 'Away', project_name: 'Inside' });
    expect(await system.callAs(caller, getWorkflow, { params: { id } })).toEqual(moved);
    expect(await latest(id)).toEqual(version);
    const place = { vault: caller.vault, workflow: id, space: away.id, spaceName: 'Away' };
    expect(await moves(id)).toEqual([{ payload: { ...place, project: inside.id, projectName: 'Inside' } }]);
    const out = await move(id, { space: away.id });
    expect(out).not.toHaveProperty('project_info');
    expect(await move(id, { space: away.id, project: null })).toMatchObject({ space_info: away.id });
    expect(await moves(id)).toHaveLength(2);
  });

  it('hides the workflow from users without a role in the new space', async () => {
    const { caller, seed, home, away, move, latest } = await seeded();
    const { id } = await seed.saved(chainOf(1), home.id);
    const [before, after] = [memberCaller(caller, { [home.id]: 'owner' }), memberCaller(caller, { [away.id]: 'read' })];
    await move(id, { space: away.id });
    await expect(latest(id, before)).rejects.toMatchObject(notFound);
    expect(await latest(id, after)).toMatchObject({ number: 1 });
  });

  it('requires the right to edit in both spaces', async () => {
    const { caller, seed, home, away, move } = await seeded();
    const { id } = await seed.saved(chainOf(1), home.id);
    const as = (spaces: Exclude<Caller['spaces'], 'all'>) => memberCaller(caller, spaces);
    const to = { space: away.id };
    await expect(move(id, to, as({ [home.id]: 'execute', [away.id]: 'write' }))).rejects.toMatchObject(forbidden);
    await expect(move(id, to, as({ [home.id]: 'write', [away.id]: 'execute' }))).rejects.toMatchObject(forbidden);
    await expect(move(id, to, as({ [home.id]: 'write' }))).rejects.toMatchObject(notFound);
    await expect(move(id, { space: randomUUID() })).rejects.toMatchObject(notFound);
    const otherProject = await seed.project(home.id);
    await expect(move(id, { ...to, project: otherProject.id })).rejects.toMatchObject({
      details: { 'body.project': expect.any(String) },
    });
    expect(await moves(id)).toEqual([]);
    expect(await move(id, to, as({ [home.id]: 'write', [away.id]: 'write' }))).toMatchObject({ space_info: away.id });
  });
});
