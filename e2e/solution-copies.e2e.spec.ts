import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import {
  datasets,
  loads,
  reportingNodes,
  rows,
  runs,
  solutions,
  spaces,
  views,
  workflows,
} from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { startOwnSystem, type OwnSystem } from './support/own-system.js';
import { queryDatabase } from './support/query-database.js';
import { makeWorkflow, script, waitForEnd } from './support/run-workflow.js';
import { rawRequest, signUp, type Account } from './support/sign-up.js';

let system: OwnSystem;
let account: Account;
beforeAll(async () => {
  system = await startOwnSystem({}, { separate: ['datasets'] });
  account = await signUp(system.url);
});
afterAll(() => system.stop());

const query = <R extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
  queryDatabase<R>(system.database, text, values);

/** Makes a solution whose table was filled by a run of its workflow, and a space for its copy. */
async function makeFilledSolution() {
  const { client, space } = account;
  const workflow = await makeWorkflow(account, {
    nodes: { 'scan-1': script(`printf '{"host": "a", "port": 443}\\n{"host": "b", "port": 80}\\n'`) },
  });
  const name = `Found ${randomUUID()}`;
  const solution = await client.call(solutions.createSolution, { body: { name, space, workflow_id: workflow } });
  const body = { name: 'hosts', solution: solution.id, primary_key: ['host'] };
  const dataset = await client.call(datasets.createDataset, { body });
  const binding = { workflow, node_name: 'scan-1', dataset_id: dataset.id };
  await client.call(reportingNodes.createReportingNode, { body: binding });
  await client.call(views.createView, {
    params: { solutionId: solution.id },
    body: { name: 'Secure', dataset: dataset.id, q: '_row > 0' },
  });
  await runAndLoad(workflow, dataset.id);
  const target = await client.call(spaces.createSpace, { body: { name: 'Copies' } });
  return { name, solution: solution.id, dataset: dataset.id, workflow, target: target.id };
}

/** Runs a workflow, and waits until its outputs are loaded into a table. */
async function runAndLoad(workflow: string, dataset: string): Promise<void> {
  const { client } = account;
  const run = await client.call(runs.createRun, { params: { id: workflow }, body: {} });
  await waitForEnd(client, run.id);
  await eventually(async () => {
    const { results } = await client.call(loads.listLoads, { params: { id: dataset }, query: { run: run.id } });
    expect(results).toMatchObject([{ status: 'COMPLETED' }]);
  });
}

const rowsOf = async (dataset: string) => {
  const request = { params: { id: dataset }, query: { order: 'host', select: 'host,port,_row,_state,_run' } };
  return (await account.client.call(rows.queryRows, request)).results;
};
const tablesOf = async (solution: string) =>
  (await account.client.call(datasets.listDatasets, { query: { solution } })).results;
const listWorkflowsWithDatabase = async () => {
  const request = { query: { has_database: 'true' as const } };
  return (await account.client.call(workflows.listVaultWorkflows, request)).results.map(({ id }) => id);
};

it('a copy has the state of the original and a separate workflow', async () => {
  const { client } = account;
  const { name, dataset, workflow, target } = await makeFilledSolution();
  const before = await rowsOf(dataset);
  expect(before).toMatchObject([
    { host: 'a', port: 443, _state: 'new' },
    { host: 'b', port: 80, _state: 'new' },
  ]);
  const copy = await client.call(solutions.copySolution, { body: { name, space: target } });
  const [table] = await tablesOf(copy.id);
  expect(await rowsOf(table?.id ?? '')).toEqual(before);
  const copied = copy.workflow_id ?? '';
  expect(await client.call(workflows.getWorkflow, { params: { id: copied } })).toMatchObject({ space_info: target });
  await eventually(async () =>
    expect(await listWorkflowsWithDatabase()).toEqual(expect.arrayContaining([workflow, copied])),
  );

  await runAndLoad(copied, table?.id ?? '');
  const unchanged = before.map((row) => ({ ...(row as object), _state: 'unchanged', _run: expect.any(Number) }));
  expect(await rowsOf(table?.id ?? '')).toEqual(unchanged);
  expect(await rowsOf(dataset)).toEqual(before);
  await client.call(solutions.deleteSolution, { params: { id: copy.id } });
  await eventually(async () => {
    expect(await listWorkflowsWithDatabase()).toContain(workflow);
    expect(await listWorkflowsWithDatabase()).not.toContain(copied);
  });
});

describe('a copy during which the service is killed', () => {
  const countLiveTables = async () =>
    (await query(`SELECT relname FROM pg_class WHERE relnamespace = 'live'::regnamespace`)).length;
  const listRecordedCopies = async () =>
    (await query<{ id: string }>('SELECT id FROM datasets.workflow_copy')).map(({ id }) => id);
  const solutionsNamed = async (search: string) =>
    (await account.client.call(solutions.listSolutions, { query: { search } })).results;

  it('does not exist afterwards, and leaves no records in either service', async () => {
    const { client } = account;
    const { name, dataset, target } = await makeFilledSolution();
    const [before, tablesBefore] = [await rowsOf(dataset), await countLiveTables()];
    // The lock stops the copy after it has created its tables and rows, before it creates the views.
    const locker = new pg.Client(system.database);
    await locker.connect();
    await locker.query('BEGIN; LOCK TABLE datasets.view IN ACCESS EXCLUSIVE MODE');
    const body = { name, space: target };
    // A raw request, because the client would retry it.
    const copying = rawRequest(account, 'POST', '/api/solutions/copy', { body: JSON.stringify(body) });
    const waiting = `SELECT 1 FROM pg_locks WHERE relation = 'datasets.view'::regclass AND NOT granted`;
    await eventually(async () => expect(await query(waiting)).toHaveLength(1));
    const [copy = ''] = await listRecordedCopies();
    await client.call(workflows.getWorkflow, { params: { id: copy } });

    process.kill(system.pidOf('datasets'), 'SIGKILL');
    await locker.query('ROLLBACK');
    await locker.end();
    expect((await copying).status).toBe(503);
    await eventually(async () => expect(await system.isReady()).toBe(true));

    expect(await solutionsNamed(name)).toHaveLength(1);
    expect(await countLiveTables()).toBe(tablesBefore);
    expect(await rowsOf(dataset)).toEqual(before);
    expect(await listRecordedCopies()).toEqual([copy]);
    await query(`UPDATE datasets.workflow_copy SET created_at = now() - interval '11 minutes'`);
    await eventually(async () => expect(await listRecordedCopies()).toEqual([]));
    await expect(client.call(workflows.getWorkflow, { params: { id: copy } })).rejects.toMatchObject({
      code: 'not_found',
    });

    await client.call(solutions.copySolution, { body });
    expect(await solutionsNamed(name)).toHaveLength(2);
  });
});
