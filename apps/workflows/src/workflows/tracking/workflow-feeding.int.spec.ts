import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { workflowFeeding } from '@millrace/contracts/datasets/reporting-nodes';
import { deleteSpace } from '@millrace/contracts/workflows/spaces';
import { deleteWorkflow, getWorkflow, listVaultWorkflows } from '@millrace/contracts/workflows/workflows';
import { ownerCaller } from '@millrace/testkit/callers';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../../start.js';
import { seedAs } from '../../testing/seed.js';

let system: System;
let datasets: EventSource;
beforeAll(async () => {
  system = await startApps([start]);
  datasets = await system.sourceOf('datasets');
});
afterAll(() => system.close());

const seeded = async () => {
  const caller = ownerCaller();
  const seed = seedAs(system.callAs, caller);
  const space = await seed.space();
  const workflow = (await seed.workflow({}, space.id)).id;
  const get = (id = workflow) => system.callAs(caller, getWorkflow, { params: { id } });
  const emitFeeding = (feeds: boolean, seq: number, more: object = {}) =>
    datasets.emit(workflowFeeding, { vault: caller.vault, workflow, feeds, seq: String(seq), ...more });
  return { caller, seed, space: space.id, workflow, get, emitFeeding };
};

it('a workflow has a database while it feeds tables, and its modification date stays the same', async () => {
  const { caller, seed, workflow, get, emitFeeding } = await seeded();
  await seed.workflow();
  const before = await get();
  expect(before.has_database).toBe(false);
  await emitFeeding(true, 1);
  await eventually(async () => expect(await get()).toEqual({ ...before, has_database: true }));
  const listed = async (hasDatabase: string) => {
    const query = { has_database: hasDatabase as 'true' };
    const { results } = await system.callAs(caller, listVaultWorkflows, { query });
    return results.map(({ id }) => id);
  };
  expect(await listed('true')).toEqual([workflow]);
  expect(await listed('false')).not.toContain(workflow);
  await emitFeeding(false, 2);
  await eventually(async () => expect(await get()).toEqual(before));
});

it('an older event that arrives later is ignored', async () => {
  const { get, emitFeeding } = await seeded();
  for (const seq of [7, 5, 10, 9]) await emitFeeding(seq === 10, seq);
  const other = await seeded();
  await emitFeeding(false, 11, { vault: other.caller.vault });
  await emitFeeding(false, 12, { workflow: other.workflow });
  await other.emitFeeding(true, 1);
  await eventually(async () => expect((await other.get()).has_database).toBe(true));
  await emitFeeding(true, 8);
  await waitForEvents(8);
  expect((await get()).has_database).toBe(true);
  expect((await other.get()).has_database).toBe(true);
});

it('the deletion of a workflow is published, also if its space is deleted', async () => {
  const { caller, seed, space, workflow } = await seeded();
  const others = [await seed.workflow({}, space), await seed.workflow({}, space)].map(({ id }) => id);
  await system.callAs(caller, deleteWorkflow, { params: { id: workflow } });
  expect(await listPublishedDeletions(caller.vault)).toEqual([workflow]);
  await system.callAs(caller, deleteSpace, { params: { id: space } });
  expect((await listPublishedDeletions(caller.vault)).sort()).toEqual([workflow, ...others].sort());
});

async function listPublishedDeletions(vault: string): Promise<string[]> {
  const rows = await system.database.query<{ workflow: string }>(
    `SELECT payload->>'workflow' AS workflow FROM messaging.outbox
     WHERE name = 'workflows.workflow.deleted' AND payload->>'vault' = $1`,
    [vault],
  );
  return rows.map((row) => row.workflow);
}

/** Waits until the service has handled this many events in the whole suite. */
const waitForEvents = (events: number) =>
  eventually(async () => {
    const rows = await system.database.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM messaging.inbox WHERE consumer LIKE 'workflows_datasets%'",
    );
    expect(rows[0]?.n).toBeGreaterThanOrEqual(events);
  });
