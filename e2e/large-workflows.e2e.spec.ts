import { beforeAll, describe, expect, it } from '@jest/globals';
import { versions, workflows } from '@millrace/contracts/resources';
import { checkedFetch } from './support/checked-fetch.js';
import { makeWorkflow, script } from './support/run-workflow.js';
import { rawRequest, signUp, type Account } from './support/sign-up.js';

let account: Account;
beforeAll(async () => {
  account = await signUp();
});

const rawImport = (body: string) =>
  rawRequest(account, 'POST', `/api/workflows/import?space=${account.space}`, {
    body,
    headers: { 'content-type': 'application/yaml' },
  });

describe('an import of 20 MiB that is expensive to parse', () => {
  it.each(['- a\n', '[', '- ', '? ', 'a: 1\n', '#\n', '!!x '])(
    'of %j is rejected with 400, and other requests are handled in the meantime',
    async (piece) => {
      const importing = rawImport(piece.repeat((20 * 1024 * 1024) / piece.length - 10));
      const [{ status, body }] = await Promise.all([importing, account.client.call(workflows.listWorkflows)]);
      expect([status, body.code]).toEqual([400, 'validation_error']);
    },
  );
});

it('a workflow of 5,000 nodes and 20,000 edges can be exported and imported', async () => {
  const { client } = account;
  const nodes = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`step-${at}`, script('cat in/*/*')]));
  const edges = Array.from({ length: 20_000 }, (_, at): [string, string] => {
    const to = 10 + (at % 4_990);
    return [`step-${to - 1 - Math.floor(at / 4_990)}/file`, `step-${to}/file`];
  });
  const id = await makeWorkflow(account, { nodes, edges });
  const out = await checkedFetch(`${account.url}/api/workflows/${id}/export`, {
    headers: { authorization: `Bearer ${account.access}` },
  });
  const { status, body } = await rawImport(await out.text());
  expect(status).toBe(201);
  const read = (of: string) => client.call(versions.getVersion, { params: { id: of, versionId: 'latest' } });
  expect((await read(String(body.id))).data).toEqual((await read(id)).data);
});
