import { beforeAll, expect, it } from '@jest/globals';
import { compare, runs, versions } from '@millrace/contracts/resources';
import { makeWorkflow, script, toData, waitForEnd, type Draft } from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';

let account: Account;
beforeAll(async () => {
  account = await signUp();
});

const draft = (separator: string): Draft => ({
  inputs: { hosts: { type: 'STRING', label: 'hosts' } },
  nodes: {
    'hosts-1': script(`tr ' ' '\\n' <<< "$1"`, { inputs: { list: { type: 'STRING', order: 1 } } }),
    'scan-1': script(`echo "host${separator}$1"`, {
      inputs: { item: { type: 'STRING', order: 1 } },
      distribution: { input: 'item', mode: 'line' },
    }),
    'all-1': script('cat in/scan-1/*/output.txt | sort'),
  },
  edges: [
    ['hosts', 'hosts-1/list'],
    ['hosts-1/file', 'scan-1/item'],
    ['scan-1/folder', 'all-1/folder'],
  ],
});

async function run(workflow: string, hosts: string): Promise<string> {
  const { id } = await account.client.call(runs.createRun, { params: { id: workflow }, body: { inputs: { hosts } } });
  expect((await waitForEnd(account.client, id)).status).toBe('COMPLETED');
  return id;
}

it('two runs are compared: inputs, versions, nodes, and outputs by the items of the children', async () => {
  const workflow = await makeWorkflow(account, draft(' '));
  const a = await run(workflow, 'alpha beta gamma');
  const b = await run(workflow, 'new alpha beta');
  const params = { id: a, otherId: b };
  const same = await account.client.call(compare.compareRuns, { params });
  expect(same).toMatchObject({
    ...{ a: { id: a }, b: { id: b }, same_plan: true, version: { same: true } },
    inputs: { added: [], removed: [], same: 0 },
    nodes: { both: 3, only_in_a: 0, only_in_b: 0 },
    outputs: { same: 2, changed: 2, only_in_a: 1, only_in_b: 1 },
  });
  expect(same.inputs.changed).toMatchObject([
    { label: 'hosts', before: { value: 'alpha beta gamma' }, after: { value: 'new alpha beta' } },
  ]);
  const { results } = await account.client.call(compare.compareOutputs, { params, query: { node: 'scan-1' } });
  expect(results.map(({ change, a: one, b: other }) => [change, one?.task_index, other?.task_index])).toEqual([
    ['same', 1, 2],
    ['only_in_b', undefined, 1],
    ['same', 2, 3],
    ['only_in_a', 3, undefined],
  ]);

  await account.client.call(versions.saveVersion, { params: { id: workflow }, body: { data: toData(draft(': ')) } });
  const c = await run(workflow, 'new alpha beta');
  const changed = await account.client.call(compare.compareRuns, { params: { id: b, otherId: c } });
  expect(changed).toMatchObject({
    ...{ same_plan: false, inputs: { changed: [], same: 1 } },
    version: {
      same: false,
      nodes: { added: [], removed: [], changed: [{ name: 'scan-1', fields: ['script.source'] }] },
    },
    outputs: { same: 1, changed: 4, only_in_a: 0, only_in_b: 0 },
  });
  const nodes = await account.client.call(compare.compareNodes, { params: { id: b, otherId: c } });
  expect(nodes.results.find(({ node }) => node === 'scan-1')).toMatchObject({
    ...{ matched_by: 'item', a: { status: 'SUCCEEDED', children: 3 }, b: { children: 3 } },
    outputs: { same: 0, changed: 3, only_in_a: 0, only_in_b: 0 },
  });
});
