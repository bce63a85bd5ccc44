import { beforeAll, describe, expect, it } from '@jest/globals';
import { outputs, runs, secrets, spaces, subjobs, workflows } from '@millrace/contracts/resources';
import { makeSpace } from './support/one-of-each.js';
import {
  findNode,
  listChildren,
  listOutputs,
  readFilePort,
  readOutput,
  runToEnd,
  script,
  waitForEnd,
} from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';

let account: Account;
beforeAll(async () => {
  account = await signUp();
});

const HOSTS = 12;

/** Children above a limit fail. The limit is a variable, so a user can correct it between two attempts. */
const draft = (limit: string) => ({
  nodes: {
    'hosts-1': script(`seq ${HOSTS}`),
    'scan-1': script(`[ "$1" -le "$LIMIT" ] || { echo "no route to host $1" >&2; exit 4; }; echo "host $1"`, {
      script: {
        source: `[ "$1" -le "$LIMIT" ] || { echo "no route to host $1" >&2; exit 4; }; echo "host $1"`,
        environment: { LIMIT: `\${{vars.${limit}}}` },
      },
      inputs: { item: { type: 'STRING', order: 1 } },
      distribution: { input: 'item', mode: 'line' },
      on_error: 'continue',
    }),
    'all-1': script(
      'cat in/scan-1/*/output.txt; cat in/scan-1/.failed.json >&2 2>/dev/null; ls -A in/scan-1 | grep -c failed',
    ),
  },
  edges: [
    ['hosts-1/file', 'scan-1/item'],
    ['scan-1/folder', 'all-1/folder'],
  ] as [string, string][],
});

async function setLimit(name: string, value: string): Promise<void> {
  const { results } = await account.client.call(secrets.listSecretVariables, {
    query: { scope_type: 'space', space: account.space },
  });
  const existing = results.find((secret) => secret.name === name);
  if (existing)
    await account.client.call(secrets.updateSecretVariable, { params: { id: existing.id }, body: { value } });
  else {
    const body = { name, value, scope_type: 'space' as const, space: account.space };
    await account.client.call(secrets.createSecretVariable, { body });
  }
}

const readAll = async (run: string): Promise<string> => readFilePort(account.client, run, 'all-1');

describe('a run in which tolerated children fail', () => {
  it('completes with the others, is repaired in place, and keeps the history', async () => {
    await setLimit('HOST_LIMIT', '9');
    const run = await runToEnd(account, draft('HOST_LIMIT'));
    expect(run).toMatchObject({ status: 'COMPLETED', has_failures: true, run_insights: { failed: 3, succeeded: 11 } });
    expect((await readAll(run.id)).split('\n').filter((line) => line.startsWith('host'))).toHaveLength(9);
    expect(await readAll(run.id)).toContain('\n1\n');

    await setLimit('HOST_LIMIT', '11');
    const retried = await account.client.call(runs.retryRun, { params: { id: run.id }, body: {} });
    expect(retried).toMatchObject({ id: run.id, finished: false });
    const repaired = await waitForEnd(account.client, run.id);
    expect(repaired).toMatchObject({
      status: 'COMPLETED',
      has_failures: true,
      run_insights: { failed: 1, succeeded: 13 },
    });
    expect((await readAll(run.id)).split('\n').filter((line) => line.startsWith('host'))).toHaveLength(11);
    // One child fixed and one that failed again: each has both attempts. The others have one.
    const { id } = await findNode(account.client, run.id, 'scan-1');
    const children = await listChildren(account.client, run.id, id);
    expect(children.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2]);
    const fixed = await account.client.call(subjobs.getSubjob, {
      params: { id: run.id, subjobId: children[9]?.id ?? '' },
    });
    expect(fixed.attempts).toMatchObject([
      { attempt: 1, status: 'FAILED', message: 'exit code 4: no route to host 10', exit_code: 4 },
      { attempt: 2, status: 'SUCCEEDED' },
    ]);
    // Lists show the present output; the former one is found by its attempt.
    const gathering = await findNode(account.client, run.id, 'all-1');
    expect(gathering.attempt).toBe(2);
    expect((await listOutputs(account.client, run.id, 'all-1')).length).toBe(1);
    const query = { attempt: 1 };
    const former = await account.client.call(outputs.listSubjobOutputs, {
      params: { id: run.id, subjobId: gathering.id },
      query,
    });
    expect(await readOutput(account.client, former.results[0]!)).not.toContain('host 10\n');

    await account.client.call(subjobs.skipSubjob, {
      params: { id: run.id, subjobId: children[11]?.id ?? '' },
      body: { comment: 'decommissioned' },
    });
    const skipped = await waitForEnd(account.client, run.id);
    expect(skipped).toMatchObject({
      status: 'COMPLETED',
      has_failures: false,
      run_insights: { failed: 0, skipped: 1 },
    });
  });
});

describe('a run that is repeated with changes', () => {
  const counted = {
    nodes: {
      'hosts-1': script('tr "," "\\n" <<< "$1"', { inputs: { list: { type: 'STRING', order: 1 } } }),
      'scan-1': script('echo "scanned $1"', {
        inputs: { item: { type: 'STRING', order: 1 } },
        distribution: { input: 'item', mode: 'line' },
      }),
      'all-1': script('cat in/scan-1/*/output.txt'),
    },
    edges: [
      ['string-input-1/output', 'hosts-1/list'],
      ['hosts-1/file', 'scan-1/item'],
      ['scan-1/folder', 'all-1/folder'],
    ] as [string, string][],
    inputs: { 'string-input-1': { type: 'STRING', label: 'hosts', value: 'a,b,c' } },
  };

  it('takes over the results of the same items, wherever they are in the list', async () => {
    const former = await runToEnd(account, counted);
    expect(former).toMatchObject({ status: 'COMPLETED', run_insights: { succeeded: 5 } });
    const body = { inputs: { hosts: 'new,b,c,a' } };
    const repeated = await account.client.call(runs.retryRun, { params: { id: former.id }, body });
    expect(repeated).toMatchObject({ parent_run: former.id, finished: false });
    expect(repeated.id).not.toBe(former.id);
    expect((await waitForEnd(account.client, repeated.id)).status).toBe('COMPLETED');
    const { id } = await findNode(account.client, repeated.id, 'scan-1');
    const children = await listChildren(account.client, repeated.id, id);
    expect(children.map(({ cached }) => cached)).toEqual([false, true, true, true]);
    expect(children[1]?.cached_from_run).toBe(former.id);
    expect(await readFilePort(account.client, repeated.id, 'all-1')).toBe(
      'scanned new\nscanned b\nscanned c\nscanned a\n',
    );
  });

  it('executes the named nodes again, and refuses unknown ones', async () => {
    const former = await runToEnd(account, counted);
    const retry = (nodes: string[]) =>
      account.client.call(runs.retryRun, { params: { id: former.id }, body: { inputs: {}, nodes } });
    await expect(retry(['scan-9'])).rejects.toMatchObject({ code: 'validation_error' });
    const repeated = await retry(['scan-1']);
    await waitForEnd(account.client, repeated.id);
    const cachedOf = async (node: string) => (await findNode(account.client, repeated.id, node)).cached;
    const { id } = await findNode(account.client, repeated.id, 'scan-1');
    const children = await listChildren(account.client, repeated.id, id);
    expect(children.map(({ cached }) => cached)).toEqual([false, false, false]);
    expect([await cachedOf('hosts-1'), await cachedOf('all-1')]).toEqual([true, true]);
  });
});

describe('a run of a deleted workflow', () => {
  it.each([
    ['alone', false],
    ['with its space', true],
  ])('cannot be repaired from then on, in the same run or as a new one: deleted %s', async (_how, isWithSpace) => {
    const owner = { ...account, space: await makeSpace(account) };
    const { id, workflow_info: workflow } = await runToEnd(owner, { nodes: { 'a-1': script('exit 3') } });
    const failed = await findNode(account.client, id, 'a-1');
    if (isWithSpace) await account.client.call(spaces.deleteSpace, { params: { id: owner.space } });
    else await account.client.call(workflows.deleteWorkflow, { params: { id: workflow } });
    const refused = { code: 'not_found', message: `Workflow ${workflow} does not exist in this vault.` };
    for (const body of [{}, { nodes: ['a-1'] }, { inputs: {} }]) {
      await expect(account.client.call(runs.retryRun, { params: { id }, body })).rejects.toMatchObject(refused);
    }
    const params = { id, subjobId: failed.id };
    await expect(account.client.call(subjobs.retrySubjob, { params })).rejects.toMatchObject(refused);
    await expect(account.client.call(subjobs.skipSubjob, { params, body: {} })).rejects.toMatchObject(refused);
    expect(await account.client.call(runs.getRun, { params: { id } })).toMatchObject({ status: 'FAILED' });
    await account.client.call(runs.deleteRun, { params: { id } });
  });
});
