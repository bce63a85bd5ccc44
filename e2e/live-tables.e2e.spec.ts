import { beforeAll, describe, expect, it } from '@jest/globals';
import { columns, datasets, reportingNodes, rows, runs, workflows } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { bindNode, makeTable, readRows, waitForLoad } from './support/live-table.js';
import { makeWorkflow, script, waitForEnd } from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';

let account: Account;
beforeAll(async () => {
  account = await signUp();
});

const run = async (workflow: string, inputs: Record<string, string> = {}) => {
  const { id } = await account.client.call(runs.createRun, { params: { id: workflow }, body: { inputs } });
  expect((await waitForEnd(account.client, id)).status).toBe('COMPLETED');
  return id;
};

describe('the findings of runs', () => {
  it('are in the table after the runs have ended, with the changes of each run', async () => {
    const { client } = account;
    const workflow = await makeWorkflow(account, {
      inputs: { hosts: { type: 'STRING', label: 'hosts' } },
      nodes: {
        'scan-1': script('for h in $1; do echo "{\\"host\\":\\"${h%:*}\\",\\"port\\":${h#*:}}"; done', {
          inputs: { hosts: { type: 'STRING', order: 0 } },
        }),
      },
      edges: [['hosts', 'scan-1/hosts']],
    });
    const table = await makeTable(account, ['host']);
    await bindNode(account, workflow, table, 'scan-1');

    const first = await run(workflow, { hosts: 'a:80 b:443 c:22' });
    expect(await waitForLoad(client, table, first)).toMatchObject({ rows_new: 3, rows_gone: 0 });
    const second = await run(workflow, { hosts: 'a:80 b:8443 d:25' });
    expect(await waitForLoad(client, table, second)).toMatchObject({
      rows_new: 1,
      rows_changed: 1,
      rows_unchanged: 1,
      rows_gone: 1,
    });
    const found = await readRows(client, table, { select: 'host,port,_state,_run', order: 'host' });
    expect(found).toEqual([
      { host: 'a', port: 80, _state: 'unchanged', _run: Number(second) },
      { host: 'b', port: 8443, _state: 'changed', _run: Number(second) },
      { host: 'c', port: 22, _state: 'gone', _run: Number(first) },
      { host: 'd', port: 25, _state: 'new', _run: Number(second) },
    ]);
    const { results } = await client.call(rows.listChanges, { params: { id: table }, query: { run: second } });
    expect(results).toHaveLength(3);
    expect(results.find(({ kind }) => kind === 'changed')).toMatchObject({
      before: { host: 'b', port: 443 },
      after: { host: 'b', port: 8443 },
    });
  });

  it('come from all children of a task group, once each, and refer to them', async () => {
    const { client } = account;
    const workflow = await makeWorkflow(account, {
      nodes: {
        'source-1': script('seq 40'),
        'each-1': {
          type: 'TOOL',
          container: { command: ['/bin/sh', '-c', `printf '{"item":%s,"square":%s}\\n' "$0" $(($0 * $0))`] },
          output_command: '>',
          inputs: { item: { type: 'STRING', order: 1 } },
          distribution: { input: 'item', mode: 'line' },
        },
      },
      edges: [['source-1/file', 'each-1/item']],
    });
    const table = await makeTable(account);
    await bindNode(account, workflow, table, 'each-1');
    const id = await run(workflow);
    expect(await waitForLoad(client, table, id)).toMatchObject({ rows_new: 40, parts: { total: 40, read: 40 } });
    const found = await readRows(client, table, { order: 'item', select: 'item,square,_row,_subjob' });
    expect(found.map(({ item, square }) => [item, square])).toEqual(
      Array.from({ length: 40 }, (_, at) => [at + 1, (at + 1) ** 2]),
    );
    expect(new Set(found.map(({ _subjob }) => _subjob)).size).toBe(40);
    const [row] = found;
    const { first_seen: origin } = await client.call(rows.getRow, {
      params: { id: table, row: String(row?.['_row']) },
    });
    expect(origin).toMatchObject({ run: id, node: 'each-1', workflow, subjob: String(row?.['_subjob']) });
    expect(origin.version).toEqual(expect.any(String));
  });

  it('are loaded once, even after repeated requests, and also for runs before the binding', async () => {
    const { client } = account;
    const workflow = await makeWorkflow(account, { nodes: { 'scan-1': script(`echo '{"n":1}'`) } });
    const id = await run(workflow);
    const table = await makeTable(account);
    const node = await bindNode(account, workflow, table, 'scan-1');
    for (let time = 0; time < 3; time += 1) {
      await client.call(reportingNodes.loadRun, { params: { id: node.id }, body: { run: id } });
    }
    expect(await waitForLoad(client, table, id)).toMatchObject({ rows_new: 1 });
    expect(await readRows(client, table, { select: 'n' })).toEqual([{ n: 1 }]);
  });

  it('are shown with the workflow that produces them', async () => {
    const { client } = account;
    const workflow = await makeWorkflow(account, { nodes: { 'scan-1': script('true') } });
    const table = await makeTable(account);
    await bindNode(account, workflow, table, 'scan-1');
    const hasDatabase = async () =>
      (await client.call(workflows.getWorkflow, { params: { id: workflow } })).has_database;
    await eventually(async () => expect(await hasDatabase()).toBe(true));
    await client.call(datasets.deleteDataset, { params: { id: table } });
    await eventually(async () => expect(await hasDatabase()).toBe(false));
  });
});

describe('names of columns', () => {
  it('stay unmodified for any text', async () => {
    const names = ['select', '_id', '__proto__', 'constructor', 'Ärger 🦊', 'a"b`c', 'x'.repeat(200), 'Host', 'host'];
    const table = await makeTable(account);
    const line = `{${names.map((name, at) => `${JSON.stringify(name)}:${at}`).join(',')}}`;
    const response = await fetch(`${account.url}/api/datasets/${table}/rows`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.access}`, 'content-type': 'application/x-ndjson' },
      body: `${line}\n`,
    });
    expect(response.status).toBe(200);
    const { results } = await account.client.call(columns.listColumns, { params: { id: table } });
    expect(results.filter(({ system }) => !system).map(({ name }) => name)).toEqual(names);
    const page = await fetch(`${account.url}/api/datasets/${table}/rows?q=${encodeURIComponent('`__proto__` = 2')}`, {
      headers: { authorization: `Bearer ${account.access}` },
    });
    const body = await page.text();
    for (const [at, name] of names.entries()) expect(body).toContain(`${JSON.stringify(name)}:${at}`);
  });
});
