import { beforeAll, describe, expect, it } from '@jest/globals';
import { members, roles, runs, spaces, versions } from '@millrace/contracts/resources';
import { invite } from './support/invite.js';
import {
  listOutputs,
  makeWorkflow,
  readFilePort,
  runToEnd,
  script,
  toData,
  waitForEnd,
} from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';

let owner: Account;
/** A user who edits in another space, and has access to the output's space only while a test allows it. */
let author: Account;
let output: string;

const setRole = (role: 'write' | 'read', space: string, user = author.user) =>
  owner.client.call(roles.setUserSpaceRole, { params: { spaceId: space, id: user }, body: { role } });
const unsetRole = (space: string) =>
  owner.client.call(roles.unsetUserSpaceRole, { params: { spaceId: space, id: author.user } });

const draft = () => ({
  nodes: { 'read-1': script('cat in/*/*') },
  inputs: { p: { type: 'FILE', label: 'list', value: `millrace://output/${output}` } },
  edges: [['p', 'read-1/file']] as [string, string][],
});

const newAuthor = async (): Promise<Account> => {
  const { id: space } = await owner.client.call(spaces.createSpace, { body: { name: 'Other' } });
  const account = { ...(await invite(owner)), space };
  await setRole('write', space, account.user);
  return account;
};

beforeAll(async () => {
  owner = await signUp();
  author = await newAuthor();
  const run = await runToEnd(owner, { nodes: { 'give-1': script('echo confidential') } });
  output = (await listOutputs(owner.client, run.id, 'give-1'))[0]?.id ?? '';
});

const start = (id: string, inputs = {}) => owner.client.call(runs.createRun, { params: { id }, body: { inputs } });

describe('a default that names an output', () => {
  it('cannot be saved by a user who may not read the output, even if other users may', async () => {
    await expect(makeWorkflow(author, draft())).rejects.toMatchObject({
      ...{ status: 400, code: 'validation_error' },
      details: { 'body.data.primitiveNodes.p.value': expect.stringContaining('"p"') },
    });
  });

  it("is read only while the version's author may read it, regardless of which user starts the run", async () => {
    await setRole('read', owner.space);
    const id = await makeWorkflow(author, draft());
    const first = await start(id);
    expect(await waitForEnd(owner.client, first.id)).toMatchObject({ status: 'COMPLETED' });
    expect(await readFilePort(owner.client, first.id, 'read-1')).toBe('confidential\n');
    await unsetRole(owner.space);
    await expect(start(id)).rejects.toMatchObject({
      ...{ status: 400, code: 'validation_error' },
      details: { 'inputs.list': expect.stringContaining('author') },
    });
    const explicit = await start(id, { list: `millrace://output/${output}` });
    expect(await waitForEnd(owner.client, explicit.id)).toMatchObject({ status: 'COMPLETED' });
  });

  it('of a module is read with the rights of the module’s author, even after they have left the vault', async () => {
    author = await newAuthor();
    await setRole('read', owner.space);
    const module = await makeWorkflow(author, draft());
    const { id: pinned } = await owner.client.call(versions.getVersion, {
      params: { id: module, versionId: 'latest' },
    });
    const outer = await makeWorkflow(owner, { nodes: { 'm-1': { type: 'WORKFLOW', workflow: pinned } } });
    const run = await start(outer);
    expect(await waitForEnd(owner.client, run.id)).toMatchObject({ status: 'COMPLETED' });
    await owner.client.call(members.removeMember, { params: { id: author.user } });
    await expect(start(outer)).rejects.toMatchObject({
      details: { 'inputs.m-1/list': expect.stringContaining('no longer a user') },
    });
    await owner.client.call(versions.saveVersion, {
      params: { id: outer },
      body: { data: { ...toData({ nodes: { 'a-1': script('true') } }) } },
    });
    expect(await waitForEnd(owner.client, (await start(outer)).id)).toMatchObject({ status: 'COMPLETED' });
  });
});
