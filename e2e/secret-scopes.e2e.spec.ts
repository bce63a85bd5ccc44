import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { roles, secrets, spaces, versions, workflows } from '@millrace/contracts/resources';
import { invite } from './support/invite.js';
import { recordSecret } from './support/record-secret.js';
import { makeWorkflow, readFilePort, runToEnd, script } from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';

const [OURS, THEIRS] = [recordSecret(`ours-${randomUUID()}`), recordSecret(`theirs, longer-${randomUUID()}`)];

let owner: Account;
let other: Account;
beforeAll(async () => {
  owner = await signUp();
  const { id: space } = await owner.client.call(spaces.createSpace, { body: { name: 'Other' } });
  other = { ...(await invite(owner)), space };
  await owner.client.call(roles.setUserSpaceRole, {
    params: { spaceId: space, id: other.user },
    body: { role: 'write' },
  });
  await set(owner.space, 'SPACE_SECRET', OURS);
});

const set = (space: string, name: string, value: string) =>
  owner.client.call(secrets.createSecretVariable, { body: { name, value, scope_type: 'space', space } });

/** Prints the length of the value, which is not masked in the output. */
const MEASURING = {
  nodes: {
    'a-1': script('', {
      script: { source: 'printf %s "$X" | wc -c', environment: { X: '${{vars.SPACE_SECRET}}' } },
    }),
  },
};

describe('a module of another space in a run', () => {
  it('gets the secret of its own space, not the secret of the workflow that uses it', async () => {
    await set(other.space, 'SPACE_SECRET', THEIRS);
    const module = await makeWorkflow(other, MEASURING);
    const { id: version } = await other.client.call(versions.getVersion, {
      params: { id: module, versionId: 'latest' },
    });
    const run = await runToEnd(owner, {
      nodes: { 'm-1': { type: 'WORKFLOW', workflow: version }, 'own-1': MEASURING.nodes['a-1'] },
    });
    expect(run.status).toBe('COMPLETED');
    expect((await readFilePort(owner.client, run.id, 'm-1/a-1')).trim()).toBe(String(THEIRS.length));
    expect((await readFilePort(owner.client, run.id, 'own-1')).trim()).toBe(String(OURS.length));
  });

  it('is pinned, so a later version of the module does not change the run', async () => {
    const module = await makeWorkflow(other, { nodes: { 'a-1': script('echo first') } });
    const wrap = (workflow: string) => ({ nodes: { 'm-1': { type: 'WORKFLOW' as const, workflow } } });
    await expect(makeWorkflow(owner, wrap(module))).rejects.toMatchObject({ status: 400 });
    const { latest_version_info: pinned } = await owner.client.call(workflows.getWorkflow, { params: { id: module } });
    await other.client.call(versions.saveVersion, {
      params: { id: module },
      body: { data: { nodes: { 'a-1': script('echo second') } } },
    });
    const run = await runToEnd(owner, wrap(String(pinned)));
    expect((await readFilePort(owner.client, run.id, 'm-1/a-1')).trim()).toBe('first');
  });
});
