import { beforeAll, expect, it } from '@jest/globals';
import { failures, runs } from '@millrace/contracts/resources';
import { findNode, listChildren, runToEnd, script, waitForEnd } from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';

let account: Account;
beforeAll(async () => {
  account = await signUp();
});

it('failed children are grouped by reason, and one group is run again', async () => {
  const source = `case "$1" in *0) echo "dial tcp 10.0.0.$1:443: refused" >&2; exit 7;; *5) echo "no such host h$1.example.org" >&2; exit 4;; esac`;
  const draft = {
    nodes: {
      'hosts-1': script('seq 30'),
      'scan-1': script(source, {
        inputs: { item: { type: 'STRING', order: 1 } },
        distribution: { input: 'item', mode: 'line' },
        on_error: 'continue',
        retries: 0,
      }),
    },
    edges: [['hosts-1/file', 'scan-1/item']] as [string, string][],
  };
  const { id } = await runToEnd(account, { ...draft });
  const params = { id };
  const { results, failed } = await account.client.call(failures.listFailures, {
    params,
    query: { ordering: 'node,-count' },
  });
  expect(failed).toBe(6);
  expect(results).toMatchObject([
    { node: 'scan-1', kind: 'exit_code', count: 3, children: 30, share: 0.1 },
    { node: 'scan-1', kind: 'exit_code', count: 3, children: 30 },
  ]);
  const refused = results.find(({ exit_code }) => exit_code === 7);
  expect(refused).toMatchObject({
    reason: 'exit code 7: dial tcp <address>: refused',
    examples: [
      { task_index: 10, item: '10', message: 'exit code 7: dial tcp 10.0.0.10:443: refused', attempt: 1 },
      { task_index: 20 },
      { task_index: 30 },
    ],
  });
  expect(refused!.examples[0]!.stderr).toBe('dial tcp 10.0.0.10:443: refused');
  const listed = await account.client.call(failures.listFailedSubjobs, { params: { id, group: refused!.id } });
  const children = listed.results.map(({ subjob }) => subjob);
  await account.client.call(runs.retryRun, { params, body: { children } });
  await waitForEnd(account.client, id);
  const attempts = (await listChildren(account.client, id, (await findNode(account.client, id, 'scan-1')).id)).filter(
    ({ attempt }) => attempt > 1,
  );
  expect(attempts.map(({ task_index }) => task_index)).toEqual([10, 20, 30]);
});
