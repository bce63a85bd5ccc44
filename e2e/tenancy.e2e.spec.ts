import { beforeAll, expect, it } from '@jest/globals';
import { restOperations } from '@millrace/contracts/registry';
import { makeOneOfEach, type OneOfEach } from './support/one-of-each.js';
import { makeWorkflow, script } from './support/run-workflow.js';
import { rawRequest, signUp, type Account } from './support/sign-up.js';

let outsider: Account;
let owned: OneOfEach;
beforeAll(async () => {
  outsider = await signUp();
  owned = await makeOneOfEach(await signUp());
});

const idsOf = ({ owner, guest, ...records }: OneOfEach): string[] => [
  owner.user,
  guest.user,
  ...Object.values(records),
];

/** The lists that any user can request. A list that belongs to one record needs the record's id. */
const lists = restOperations.filter(
  ({ path, list, query, access }) =>
    list !== null && access.kind === 'granted' && !path.includes('{') && query.safeParse({}).success,
);

it.each(lists.map((operation) => [operation.name, operation] as const))(
  '%s shows nothing of another vault',
  async (_, { path }) => {
    const { status, body } = await rawRequest(outsider, 'GET', `/api${path}`);
    expect(status).toBe(200);
    const text = JSON.stringify(body.results);
    // Ids of runs are short numbers, which may occur in any text.
    for (const id of idsOf(owned).filter((one) => one.length > 20)) expect(text).not.toContain(id);
  },
);

it("a run cannot read another vault's files, outputs or modules", async () => {
  const id = await makeWorkflow(outsider, {
    nodes: { 'only-1': script('cat in/*/*') },
    inputs: { 'http-input-1': { type: 'FILE', label: 'text' } },
    edges: [['http-input-1/output', 'only-1/file']],
  });
  for (const value of ['millrace://file/mine/a.txt', `millrace://output/${owned.output}`]) {
    const body = JSON.stringify({ inputs: { text: value } });
    const response = await rawRequest(outsider, 'POST', `/api/workflows/${id}/runs`, { body });
    expect({ status: response.status, ...response.body }).toMatchObject({
      status: 400,
      code: 'validation_error',
      details: { 'inputs.text': expect.stringContaining('does not exist') },
    });
  }
  const data = { nodes: { 'module-1': { type: 'WORKFLOW', workflow: owned.workflow } } };
  const saved = await rawRequest(outsider, 'POST', `/api/workflows/${id}/versions`, { body: JSON.stringify({ data }) });
  expect({ status: saved.status, ...saved.body }).toMatchObject({ status: 400, code: 'validation_error' });
});
