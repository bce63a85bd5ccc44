import { beforeAll, expect, it } from '@jest/globals';
import { loads, runs, runTables } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { bindNode, makeTable } from './support/live-table.js';
import { runCli } from './support/run-cli.js';
import { makeWorkflow, script, waitForEnd, type Draft } from './support/run-workflow.js';
import { signUp, systemUrl, type Account } from './support/sign-up.js';

let account: Account;
beforeAll(async () => {
  account = await signUp();
});

/** Each line of the input is a row of host and port. */
const draft: Draft = {
  inputs: { found: { type: 'STRING', label: 'found' } },
  nodes: {
    'scan-1': script(`for one in $1; do echo "{\\"host\\":\\"\${one%:*}\\",\\"port\\":\${one#*:}}"; done`, {
      inputs: { found: { type: 'STRING', order: 1 } },
    }),
  },
  edges: [['found', 'scan-1/found']],
};

it('the tables of two runs are compared over REST and on the command line', async () => {
  const { client } = account;
  const workflow = await makeWorkflow(account, draft);
  const table = await makeTable(account, ['host']);
  await bindNode(account, workflow, table, 'scan-1');
  const run = async (found: string) => {
    const { id } = await client.call(runs.createRun, { params: { id: workflow }, body: { inputs: { found } } });
    expect(await waitForEnd(client, id)).toMatchObject({ status: 'COMPLETED' });
    await eventually(async () => {
      const { results } = await client.call(loads.listLoads, { params: { id: table }, query: { run: id } });
      expect(results[0]).toMatchObject({ status: 'COMPLETED' });
    });
    return id;
  };
  const a = await run('db7:80 db2:80 same:1');
  const b = await run('db7:443 db9:80 same:1');
  await run('db7:1');

  const params = { id: a, otherId: b };
  const { results } = await client.call(runTables.compareTables, { params });
  expect(results).toMatchObject([{ dataset: table, counts: { same: 1, new: 1, changed: 1, gone: 1 } }]);
  const name = String(results[0]?.name);
  const page = await client.call(runTables.compareTableRows, { params: { ...params, dataset: table } });
  expect(page.results).toMatchObject([
    { change: 'new', key: { host: 'db9' }, b: { port: 80 } },
    { change: 'changed', key: { host: 'db7' }, a: { port: 80 }, b: { port: 443 } },
    { change: 'gone', key: { host: 'db2' }, a: { port: 80 } },
  ]);

  const env = { MILLRACE_URL: systemUrl(), MILLRACE_TOKEN: account.access };
  const cli = async (...options: string[]) => (await runCli(['compare', a, b, ...options], { env })).stdout;
  expect(await cli()).toContain('TABLE');
  expect((await cli('--tables')).split('\n')).toEqual([
    expect.stringMatching(/^TABLE +ROWS OF A +ROWS OF B +SAME +NEW +CHANGED +GONE$/),
    expect.stringMatching(new RegExp(`^${name} +3 +3 +1 +1 +1 +1$`)),
    '',
  ]);
  const lines = ['new      host="db9"', 'changed  host="db7"  port: 80 → 443', 'gone     host="db2"', ''];
  expect(await cli('--rows', name)).toBe(lines.join('\n'));
  expect((await cli('--rows', table, '--json')).split('\n').filter(Boolean)).toHaveLength(3);
  const unknown = await runCli(['compare', a, b, '--rows', 'nothing'], { env });
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toContain(table);
});
