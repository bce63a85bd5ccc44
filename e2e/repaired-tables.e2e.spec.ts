import { beforeAll, expect, it } from '@jest/globals';
import {
  datasets,
  loads,
  notifications,
  rows,
  runs,
  secrets,
  tableFollows,
  views,
} from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { bindNode, makeTable, readRows } from './support/live-table.js';
import { makeWorkflow, script, waitForEnd } from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';

const HOSTS = 100;
const LIMIT = 'TABLE_LIMIT';

let account: Account;
beforeAll(async () => {
  account = await signUp();
});

/** Hosts above the limit fail. Each other host is a row of the gathering node, and of its own child. */
const draft = {
  nodes: {
    'hosts-1': script(`seq ${HOSTS}`),
    'scan-1': script('', {
      script: {
        source: `[ "$1" -le "$LIMIT" ] || { echo "no route to host" >&2; exit 4; }; echo "{\\"host\\":$1}"`,
        environment: { LIMIT: `\${{vars.${LIMIT}}}` },
      },
      inputs: { item: { type: 'STRING', order: 1 } },
      distribution: { input: 'item', mode: 'line' },
      on_error: 'continue',
    }),
    'all-1': script('cat in/scan-1/*/output.txt'),
  },
  edges: [
    ['hosts-1/file', 'scan-1/item'],
    ['scan-1/folder', 'all-1/folder'],
  ] as [string, string][],
};

const untilLoaded = (table: string, run: string, revision: number) =>
  eventually(async () => {
    const { results } = await account.client.call(loads.listLoads, { params: { id: table }, query: { run } });
    expect(results[0]).toMatchObject({ revision, status: 'COMPLETED' });
    return results[0];
  });

it('tables get the hosts that succeeded, and the others when they are retried in the same run', async () => {
  const { client, space } = account;
  const scope = { scope_type: 'space' as const, space };
  await client.call(secrets.createSecretVariable, { body: { name: LIMIT, value: String(HOSTS - 30), ...scope } });
  const workflow = await makeWorkflow(account, draft);
  const [keyed, appended] = [await makeTable(account, ['host']), await makeTable(account)];
  await bindNode(account, workflow, keyed, 'all-1');
  await bindNode(account, workflow, appended, 'scan-1');

  const { id } = await client.call(runs.createRun, { params: { id: workflow }, body: {} });
  expect(await waitForEnd(client, id)).toMatchObject({ status: 'COMPLETED', has_failures: true });
  for (const table of [keyed, appended]) {
    expect(await untilLoaded(table, id, 0)).toMatchObject({ partial: true, rows_new: HOSTS - 30 });
  }
  const { dataset, solution } = await followView(keyed);
  expect(dataset).toBe(keyed);

  const { results } = await client.call(secrets.listSecretVariables, { query: scope });
  const variable = results.find(({ name }) => name === LIMIT)?.id ?? '';
  await client.call(secrets.updateSecretVariable, { params: { id: variable }, body: { value: String(HOSTS - 10) } });
  await client.call(runs.retryRun, { params: { id }, body: {} });
  await waitForEnd(client, id);
  for (const table of [keyed, appended]) {
    expect(await untilLoaded(table, id, 1)).toMatchObject({ partial: true, rows_new: 20, rows_gone: 0 });
    expect(await readRows(client, table)).toHaveLength(HOSTS - 10);
    const { counts } = await client.call(rows.listChanges, { params: { id: table }, query: { run: id } });
    expect(counts).toEqual({ new: HOSTS - 10, changed: 0, gone: 0 });
  }
  expect(await readRows(client, keyed, { q: '_state = new' })).toHaveLength(HOSTS - 10);
  await eventually(async () => {
    const { results: received } = await client.call(notifications.listNotifications);
    const changes = received.filter(({ type }) => type === 'TABLE_CHANGED');
    expect(changes.map(({ title }) => title)).toEqual(['hosts: 5 new in "Last ones"']);
    expect(changes[0]?.metadata).toMatchObject({ run: id, solution, matching_new: 5, new: 20 });
  });
});

/** Makes a view of a table and follows it. */
async function followView(table: string): Promise<{ dataset: string; solution: string }> {
  const { client } = account;
  const solution = await solutionOf(table);
  const body = { name: 'Last ones', dataset: table, q: `host > ${HOSTS - 15}` };
  const { id: viewId, dataset } = await client.call(views.createView, { params: { solutionId: solution }, body });
  const params = { solutionId: solution, viewId };
  const follow = await client.call(tableFollows.setViewFollow, { params, body: { email: false } });
  expect(follow).toMatchObject({ dataset: table, view: viewId, following: true });
  return { dataset, solution };
}

const solutionOf = async (table: string): Promise<string> => {
  const { solution } = await account.client.call(datasets.getDataset, { params: { id: table } });
  return solution;
};
