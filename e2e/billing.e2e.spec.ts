import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { billing, budget, hooks, runs, spaces, subjobs, usage, workflows } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { checkedFetch } from './support/checked-fetch.js';
import { expectBilled } from './support/expect-billed.js';
import { databaseUrl } from './support/own-system.js';
import { makeWorkflow, runToEnd, script, waitForStart, waitForEnd } from './support/run-workflow.js';
import { rawRequest, signUp, systemUrl, type Account } from './support/sign-up.js';

let account: Account;
beforeAll(async () => (account = await signUp()));
// Includes the usage of other suites.
afterAll(() => expectBilled(databaseUrl(process.env.TEST_DATA_DIR ?? '')));

const BURN = 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done';

async function unitsOfSubjobs({ client }: Account, id: string): Promise<number> {
  let units = 0;
  for await (const one of client.list(subjobs.listSubjobs, { params: { id } })) {
    units += one.execution_units;
    const params = { id, subjobId: one.id };
    for await (const child of client.list(subjobs.listChildren, { params })) units += child.execution_units;
  }
  return units;
}

it('a run shows its cost, and so do its subjobs, the month, and the usage of its workflow and space', async () => {
  const { client, space } = account;
  const run = await runToEnd(account, {
    nodes: {
      'source-1': script('seq 5'),
      'each-1': script(`${BURN}; exit $(( $1 % 2 ))`, {
        inputs: { item: { type: 'STRING', order: 1, command: '' } },
        distribution: { input: 'item', mode: 'line' },
      }),
      'again-1': script('exit 1', { retries: 1 }),
    },
    edges: [['source-1/file', 'each-1/item']],
  });
  // Five children, the source, and two attempts of the node that always fails; each costs a unit or more.
  expect(run.execution_units).toBeGreaterThanOrEqual(8);
  expect(await unitsOfSubjobs(account, run.id)).toBe(run.execution_units);
  await eventually(async () => {
    expect((await client.call(billing.getCustomer)).execution_units).toBe(run.execution_units);
  });
  const { name } = await client.call(workflows.getWorkflow, { params: { id: run.workflow_info } });
  const [byWorkflow, bySpace] = await Promise.all(
    (['workflow', 'space'] as const).map((group_by) => client.call(usage.listUsage, { query: { group_by } })),
  );
  const sums = { execution_units: run.execution_units, subjobs: 8, runs: 1 };
  expect(byWorkflow?.results).toMatchObject([{ workflow: run.workflow_info, workflow_name: name, ...sums }]);
  const { name: spaceName } = await client.call(spaces.getSpace, { params: { id: space } });
  expect(bySpace?.results).toMatchObject([{ space, space_name: spaceName, ...sums }]);
  const csv = await checkedFetch(`${systemUrl()}/api/billing/usage.csv?group_by=workflow`, {
    headers: { authorization: `Bearer ${account.access}` },
  });
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(csv.headers.get('content-disposition')).toContain('usage.csv');
  const lines = (await csv.text()).trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(new RegExp(`^${run.workflow_info},${name},${run.execution_units},[\\d.]+,8,1$`));
  // The usage of deleted runs still counts.
  await client.call(runs.deleteRun, { params: { id: run.id } });
  await client.call(workflows.deleteWorkflow, { params: { id: run.workflow_info } });
  const { results } = await client.call(usage.listUsage, { query: { group_by: 'workflow' } });
  expect(results).toMatchObject([{ workflow: run.workflow_info, ...sums }]);
  expect(results[0]).not.toHaveProperty('workflow_name');
});

describe('a reached usage limit', () => {
  const REFUSED = { code: 'forbidden', details: { restriction: { reason: 'budget' } } };
  const setLimit = ({ client }: Account, cloud_usage_limit: number | null, stop_running = false) =>
    client.call(budget.setBudget, { body: { cloud_usage_limit, stop_running } });

  it('rejects runs of every trigger with 403 until it is raised', async () => {
    const own = await signUp();
    const workflow = await makeWorkflow(own, { nodes: { 'only-1': script('echo') } });
    const { token } = await own.client.call(hooks.rotateHook, { params: { id: workflow } });
    const start = () => rawRequest(own, 'POST', `/api/workflows/${workflow}/runs`, { body: '{}' });
    const fire = () => rawRequest(own, 'POST', `/api/hooks/${token}`, { body: '{}' });
    await setLimit(own, 0);
    for (const attempt of [start, fire]) {
      await eventually(async () => expect(await attempt()).toMatchObject({ status: 403, body: REFUSED }));
    }
    await setLimit(own, null);
    for (const attempt of [start, fire]) {
      await eventually(async () => expect((await attempt()).status).toBeLessThan(300));
    }
  });

  it('leaves no concurrently started run unbilled', async () => {
    const own = await signUp();
    const { client } = own;
    const workflow = await makeWorkflow(own, { nodes: { 'only-1': script('echo') } });
    await setLimit(own, 3);
    const pending: Promise<unknown>[] = [];
    const responses: { status: number; body: Record<string, unknown> }[] = [];
    const start = async () => {
      responses.push(await rawRequest(own, 'POST', `/api/workflows/${workflow}/runs`, { body: '{}' }));
    };
    for (; !responses.some(({ status }) => status === 403); await Promise.race(pending.splice(0, 1))) {
      while (pending.length < 8) pending.push(start());
    }
    await Promise.all(pending);
    const accepted = responses.filter(({ status }) => status === 201);
    for (const response of responses)
      if (!accepted.includes(response)) expect(response).toMatchObject({ status: 403, body: REFUSED });
    expect(accepted.length).toBeGreaterThanOrEqual(3);
    const ended = await Promise.all(accepted.map(({ body }) => waitForEnd(client, String(body['id']))));
    expect(ended.map(({ status, execution_units }) => [status, execution_units])).toEqual(
      accepted.map(() => ['COMPLETED', 1]),
    );
    await eventually(async () => {
      const { results } = await client.call(usage.listUsage, { query: { group_by: 'workflow' } });
      expect(results).toMatchObject([
        { execution_units: accepted.length, subjobs: accepted.length, runs: accepted.length },
      ]);
    });
    expect(await client.call(billing.getCustomer)).toMatchObject({
      restricted: true,
      execution_units: accepted.length,
    });
  });

  it('stops running subjobs if `stop_running` is set, and bills their usage', async () => {
    const own = await signUp();
    const { client } = own;
    const id = await makeWorkflow(own, { nodes: { 'long-1': script(`${BURN}; sleep 600`) } });
    const run = await client.call(runs.createRun, { params: { id }, body: {} });
    await waitForStart(client, run.id, 'long-1');
    await setLimit(own, 0, true);
    const ended = await waitForEnd(client, run.id);
    expect(ended).toMatchObject({ status: 'FAILED', error: expect.stringContaining('usage limit') });
    expect(ended.execution_units).toBeGreaterThanOrEqual(1);
    await eventually(async () => {
      const customer = await client.call(billing.getCustomer);
      expect(customer).toMatchObject({ restricted: true, execution_units: ended.execution_units });
    });
  });
});
