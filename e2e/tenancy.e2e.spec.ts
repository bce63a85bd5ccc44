import { beforeAll, expect, it } from '@jest/globals';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import { restOperations } from '@millrace/contracts/registry';
import { projects, storage, workflows } from '@millrace/sdk/resources';
import { findNode, listOutputs, makeWorkflow, runToEnd, script } from './support/run-workflow.js';
import { rawRequest, signUp, type Account } from './support/sign-up.js';

/** Ids of records of one vault, by the collection that a path names. */
type Owned = Record<string, Record<string, string>>;

let stranger: Account;
let owner: Account;
let owned: Owned;
beforeAll(async () => {
  owner = await signUp();
  stranger = await signUp();
  owned = await makeOneOfEach(owner);
});

async function makeOneOfEach(account: Account): Promise<Owned> {
  const { client, space } = account;
  const draft = { nodes: { 'only-1': script('echo mine') } };
  const workflow = await makeWorkflow(account, draft);
  const { latest_version_info: version } = await client.call(workflows.getWorkflow, { params: { id: workflow } });
  const project = await client.call(projects.createProject, { params: { spaceId: space }, body: { name: 'Mine' } });
  const file = await client.upload('mine/a.txt', new Blob(['mine']));
  await client.call(storage.createFolder, { body: { path: 'mine/deep' } });
  const run = await runToEnd(account, draft);
  const subjob = await findNode(client, run.id, 'only-1');
  const output = (await listOutputs(client, run.id, 'only-1'))[0];
  return {
    '/spaces': { id: space, spaceId: space },
    '/projects': { id: project.id },
    '/workflows': { id: workflow, versionId: version ?? '' },
    '/storage': { id: file.id },
    '/runs': { id: run.id, subjobId: subjob.id },
    '/outputs': { id: output?.id ?? '' },
  };
}

/** A body that the operation would take, so that nothing but the id decides. */
const BODIES: Record<string, unknown> = {
  'workflows.projects.create': { name: 'x' },
  'workflows.workflows.create': { name: 'x' },
  'workflows.versions.save': { data: { nodes: {} } },
};

const withIds = restOperations.filter(({ path, access }) => path.includes('{') && access.kind !== 'public');

function request(operation: AnyOperation): { path: string; body: string } {
  const collection = /^\/\w+/.exec(operation.path)?.[0] ?? '';
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = owned[collection]?.[name];
    if (!id) throw new Error(`Make a record for {${name}} of ${operation.path} in this test`);
    return id;
  });
  return { path: `/api${path}`, body: JSON.stringify(BODIES[operation.name] ?? {}) };
}

const hasBody = ({ method }: AnyOperation) => method !== 'GET' && method !== 'DELETE';

it.each(withIds.map((operation) => [operation.name, operation] as const))(
  "%s with another vault's id is 404, as if it were not there",
  async (_, operation) => {
    const { path, body } = request(operation);
    const answer = await rawRequest(stranger, operation.method, path, hasBody(operation) ? { body } : {});
    expect({ status: answer.status, ...answer.body }).toMatchObject({ status: 404, code: 'not_found' });
  },
);

it('the owner still has everything', async () => {
  for (const operation of withIds.filter(({ method, transfer }) => method === 'GET' && transfer === 'json')) {
    const answer = await rawRequest(owner, 'GET', request(operation).path);
    expect({ name: operation.name, status: answer.status }).toEqual({ name: operation.name, status: 200 });
  }
});

const lists = restOperations.filter(({ path, list }) => list !== null && !path.includes('{'));

it.each(lists.map((operation) => [operation.name, operation] as const))(
  '%s shows nothing of another vault',
  async (_, { path }) => {
    const { status, body } = await rawRequest(stranger, 'GET', `/api${path}`);
    expect(status).toBe(200);
    const text = JSON.stringify(body.results);
    for (const ids of Object.values(owned)) {
      // Numbers of runs are short and may stand anywhere.
      for (const id of Object.values(ids).filter((one) => one.length > 20)) expect(text).not.toContain(id);
    }
  },
);

it("a run cannot read another vault's files, outputs or modules", async () => {
  const id = await makeWorkflow(stranger, {
    nodes: { 'only-1': script('cat in/*/*') },
    inputs: { 'http-input-1': { type: 'FILE', label: 'text' } },
    edges: [['http-input-1/output', 'only-1/file']],
  });
  for (const value of ['millrace://file/mine/a.txt', `millrace://output/${owned['/outputs']?.id}`]) {
    const body = JSON.stringify({ inputs: { text: value } });
    const answer = await rawRequest(stranger, 'POST', `/api/workflows/${id}/runs`, { body });
    expect({ status: answer.status, ...answer.body }).toMatchObject({
      status: 400,
      code: 'validation_error',
      details: { 'inputs.text': expect.stringContaining('not found') },
    });
  }
  const data = { nodes: { 'module-1': { type: 'WORKFLOW', workflow: owned['/workflows']?.id } } };
  const saved = await rawRequest(stranger, 'POST', `/api/workflows/${id}/versions`, { body: JSON.stringify({ data }) });
  expect({ status: saved.status, ...saved.body }).toMatchObject({ status: 400, code: 'validation_error' });
});
