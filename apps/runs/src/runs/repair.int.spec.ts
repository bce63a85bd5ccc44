import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@millrace/contracts/kit/api-error';
import { deleteRun, retryRun } from '@millrace/contracts/runs/runs';
import { retrySubjob, skipSubjob } from '@millrace/contracts/runs/subjobs';
import { getWorkflowLocation } from '@millrace/contracts/workflows/exchange';
import { workflowDeleted } from '@millrace/contracts/workflows/workflows';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../start.js';
import { insertSplitRun, type SplitRun } from '../testing/insert-split-run.js';

const owner = ownerCaller();
let system: SystemWithStore;
let database: Database;
/** What the workflows service responds about every workflow. */
let workflows: 'exist' | 'are deleted' | 'are not known';
beforeAll(async () => {
  system = await startWithStore([start]);
  database = new Database({ url: system.database.url, service: 'runs', connections: 2 });
  (await system.fake('workflows')).on(getWorkflowLocation, () => {
    if (workflows === 'are not known') throw new UnavailableError('The database of the service is restarting.');
    const place = { space: newId(), spaceName: 's', project: null, projectName: null };
    return { place: workflows === 'exist' ? place : null };
  });
});
beforeEach(() => {
  workflows = 'exist';
});
afterAll(async () => {
  await database.close();
  await system.close();
});

/** A run that has ended. */
const insert = () => insertSplitRun(database, { caller: owner, folder: system.folder, children: 2 });

describe('a retry of children that the run does not have', () => {
  it.each([
    ['unknown', '999999999999999999', '"999999999999999999"'],
    ['beyond 64 bits', '9223372036854775808', '"9223372036854775808"'],
    ['written with zeros', '000', '"000"'],
    ['very long', '7'.repeat(1_000), `"${'7'.repeat(80)}…"`],
  ])('is refused with the id as the request has it: %s', async (_case, id, shown) => {
    const run = await insert();
    const known = String((await database.client.subjob.findFirstOrThrow({ where: { runId: run.run.id } })).id);
    const retry = system.callAs(owner, retryRun, { params: { id: run.id }, body: { children: [known, id] } });
    await expect(retry).rejects.toMatchObject({
      code: 'validation_error',
      details: { 'body.children.1': `names no subjob of run ${run.id} (got ${shown})` },
    });
  });
});

describe('a run whose workflow is deleted', () => {
  const REPAIRS: [string, (run: SplitRun, subjobId: string) => Promise<unknown>][] = [
    ['retried', ({ id }) => system.callAs(owner, retryRun, { params: { id }, body: { nodes: ['lines-1'] } })],
    ['retried where it failed', ({ id }) => system.callAs(owner, retryRun, { params: { id }, body: {} })],
    ['retried at a subjob', ({ id }, subjobId) => system.callAs(owner, retrySubjob, { params: { id, subjobId } })],
    [
      'skipped at a subjob',
      ({ id }, subjobId) => system.callAs(owner, skipSubjob, { params: { id, subjobId }, body: {} }),
    ],
  ];
  /** A run with a failed child. */
  async function insertFailed(): Promise<{ run: SplitRun; subjob: string }> {
    const run = await insert();
    const { id } = await database.client.subjob.findFirstOrThrow({
      where: { runId: run.run.id, node: 'each-1', task: 1 },
    });
    await database.client.subjob.update({ where: { id }, data: { status: 'FAILED' } });
    return { run, subjob: String(id) };
  }
  const stateOf = ({ run }: SplitRun) =>
    database.client.run.findUniqueOrThrow({ where: { id: run.id }, select: { status: true, repairs: true } });
  const refusalOf = ({ run }: SplitRun) => ({
    code: 'not_found',
    message: `Workflow ${run.workflowId} does not exist in this vault.`,
  });

  it.each(REPAIRS)('cannot be %s', async (_how, repair) => {
    const { run, subjob } = await insertFailed();
    workflows = 'are deleted';
    await expect(repair(run, subjob)).rejects.toMatchObject(refusalOf(run));
    expect(await stateOf(run)).toEqual({ status: 'COMPLETED', repairs: 0 });
    workflows = 'exist';
    await repair(run, subjob);
    expect(await stateOf(run)).toMatchObject({ repairs: 1 });
  });

  it('cannot be repaired while the workflows service is away either, and other runs can', async () => {
    const [deleted, other] = [await insertFailed(), await insertFailed()];
    await (
      await system.sourceOf('workflows')
    ).emit(workflowDeleted, { vault: owner.vault, workflow: deleted.run.run.workflowId });
    await eventually(async () => {
      const where = { workflowId: deleted.run.run.workflowId };
      expect(await database.client.deletedWorkflow.count({ where })).toBe(1);
    });
    workflows = 'are not known';
    for (const [, repair] of REPAIRS) {
      await expect(repair(deleted.run, deleted.subjob)).rejects.toMatchObject(refusalOf(deleted.run));
    }
    await REPAIRS[0]![1](other.run, other.subjob);
    expect(await stateOf(other.run)).toMatchObject({ repairs: 1 });
  });

  it('can be deleted', async () => {
    const { run } = await insertFailed();
    workflows = 'are deleted';
    await system.callAs(owner, deleteRun, { params: { id: run.id } });
    expect(await database.client.run.count({ where: { id: run.run.id, deletedAt: null } })).toBe(0);
  });
});
