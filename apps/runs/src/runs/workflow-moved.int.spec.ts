import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { getRun, listRuns } from '@millrace/contracts/runs/runs';
import { getWorkflowLocation, workflowMoved } from '@millrace/contracts/workflows/exchange';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import { newId } from '@millrace/persistence/ids';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';

interface Place {
  space: string;
  spaceName: string;
  project: string | null;
  projectName: string | null;
}

let system: System;
let folder: string;
/** Hash of the stored plan of all runs. */
let plan: string;
let workflows: EventSource;
/** Locations of workflows, as the workflows service returns them. */
const places = new Map<string, Place>();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-moved-'));
  const empty = compilePlan({ nodes: {}, connections: [], primitiveNodes: {} }, {});
  plan = (await new DiskStore(folder).put(Buffer.from(JSON.stringify(empty)))).sha256;
  system = await startApps([start], { STORAGE_DIR: folder });
  workflows = await system.sourceOf('workflows');
  const service = await system.fake('workflows');
  service.on(getWorkflowLocation, ({ body }) => ({
    place: places.get((body as { workflow: string }).workflow) ?? null,
  }));
});
afterAll(async () => {
  await system.close();
  await rm(folder, { recursive: true });
});

const place = (more: Partial<Place> = {}): Place => ({
  ...{ space: newId(), spaceName: 'Away', project: null, projectName: null, ...more },
});

async function makeRun({ vault, user }: Caller, workflow: string, space: string): Promise<string> {
  const [row] = await system.database.query<{ id: string }>(
    `INSERT INTO runs.run (vault_id, name, status, creation_type, workflow_id, workflow_name, version_id, space_id,
       space_name, project_id, project_name, author, plan, inputs, parallelism, open_segments)
     VALUES ($1, 'r', 'COMPLETED', 'MANUAL', $2, 'w', $3, $4, 'Home', $3, 'Former', $5, $6, '{}', 1, 0)
     RETURNING id::text`,
    [vault, workflow, newId(), space, user, plan],
  );
  return row?.id ?? '';
}

const publishMove = (vault: string, workflow: string, destination: Place) =>
  workflows.emit(workflowMoved, { vault, workflow, ...destination });

it('a workflow moves with its runs and with the permissions to see them', async () => {
  const owner = ownerCaller();
  const [workflow, home] = [newId(), newId()];
  const ids = [await makeRun(owner, workflow, home), await makeRun(owner, workflow, home)];
  const other = await makeRun(owner, newId(), home);
  const away = place({ project: newId(), projectName: 'Inside' });
  places.set(workflow, away);
  await publishMove(owner.vault, workflow, away);
  const reader = memberCaller(owner, { [away.space]: 'read' });
  const { results } = await eventually(async () => {
    const page = await system.callAs(reader, listRuns);
    expect(page.results).toHaveLength(2);
    return page;
  });
  expect(results[0]).toMatchObject({
    space_info: away.space,
    space_name: 'Away',
    project_info: away.project,
    project_name: 'Inside',
  });
  const formerMember = memberCaller(owner, { [home]: 'owner' });
  const get = (id: string) => system.callAs(formerMember, getRun, { params: { id } });
  for (const id of ids) await expect(get(id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await get(other)).toMatchObject({ space_info: home, project_name: 'Former' });
});

it('the runs of a workflow that moved several times get its current location, for any order of the events', async () => {
  const owner = ownerCaller();
  const workflow = newId();
  const id = await makeRun(owner, workflow, newId());
  const [first, last] = [place(), place({ spaceName: 'Last' })];
  places.set(workflow, last);
  await publishMove(owner.vault, workflow, last);
  await publishMove(owner.vault, workflow, first);
  const findHandled = () =>
    system.database.query(
      `SELECT 1 FROM messaging.inbox i JOIN messaging.outbox o ON o.id = i.event WHERE o.payload->>'workflow' = $1`,
      [workflow],
    );
  await eventually(async () => expect(await findHandled()).toHaveLength(2));
  const run = await system.callAs(owner, getRun, { params: { id } });
  expect(run).toMatchObject({ space_info: last.space, space_name: 'Last' });
  expect(run).not.toHaveProperty('project_info');
});

it('the runs of a workflow that was deleted in the meantime keep their space', async () => {
  const owner = ownerCaller();
  const [workflow, home, next] = [newId(), newId(), newId()];
  const id = await makeRun(owner, workflow, home);
  const follower = await makeRun(owner, next, home);
  places.set(next, place());
  await publishMove(owner.vault, workflow, place());
  await publishMove(owner.vault, next, place());
  const at = async (run: string) => (await system.callAs(owner, getRun, { params: { id: run } })).space_info;
  await eventually(async () => expect(await at(follower)).not.toBe(home));
  expect(await at(id)).toBe(home);
});
