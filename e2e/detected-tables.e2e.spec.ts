import { expect, it } from '@jest/globals';
import { detectedTables, runs } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { makeWorkflow, script, waitForEnd } from './support/run-workflow.js';
import { signUp } from './support/sign-up.js';

it('a JSON lines output of a completed run is detected as a table', async () => {
  const account = await signUp();
  const draft = {
    nodes: {
      'scan-1': script(`printf '{"host": "a", "port": 443}\\n'; echo started > out/log.txt`),
      'text-1': script('echo no table'),
    },
  };
  const workflow = await makeWorkflow(account, draft);
  const run = await account.client.call(runs.createRun, { params: { id: workflow }, body: {} });
  await waitForEnd(account.client, run.id);
  await eventually(async () => {
    const { results } = await account.client.call(detectedTables.listDetectedTables, { query: { workflow } });
    expect(results).toMatchObject([
      {
        node_name: 'scan-1',
        output_name: 'output.txt',
        columns: [
          { name: 'host', type: 'text' },
          { name: 'port', type: 'bigint' },
        ],
        sample: [{ host: 'a', port: 443 }],
        run: run.id,
      },
    ]);
  });
});
