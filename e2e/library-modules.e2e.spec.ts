import { beforeAll, describe, expect, it } from '@jest/globals';
import { library, versions, workflows } from '@millrace/contracts/resources';
import { makeWorkflow, readFilePort, runToEnd, script } from './support/run-workflow.js';
import { rawRequest, signUp, type Account } from './support/sign-up.js';

let account: Account;
beforeAll(async () => void (account = await signUp()));

const UPPER = `
name: upper
category: Text
command: [tr]
inputs:
  from: { position: 1, default: a-z }
  to: { position: 2, default: A-Z }
`;

describe('a module of the library', () => {
  it('cannot be replaced with PUT', async () => {
    const { id } = await account.client.call(library.createModule, { body: { yaml: UPPER } });
    const body = JSON.stringify({ name: 'x' });
    for (const path of ['/api/library/module', `/api/library/module/${id}`]) {
      const response = await rawRequest(account, 'PUT', path, { body });
      expect({ path, refused: [404, 405].includes(response.status) }).toEqual({ path, refused: true });
    }
  });

  it('is rejected over REST with the position of the problem in its file', async () => {
    const body = JSON.stringify({ yaml: 'name: a\ncommand: [tr]\ninputs: { x: { type: number } }\n' });
    const response = await rawRequest(account, 'POST', '/api/library/module', { body });
    expect({ status: response.status, ...response.body }).toMatchObject({
      status: 400,
      code: 'validation_error',
      details: { 'body.yaml': expect.stringMatching(/^line 3, column \d+: inputs\.x\.type/) },
    });
  });

  it('runs as a script, with the output of a published workflow as its input', async () => {
    const { client } = account;
    const inner = await makeWorkflow(account, {
      nodes: { 'say-1': script('echo "hello $1"', { inputs: { word: { type: 'STRING' } }, meta: { label: 'said' } }) },
      inputs: { 'string-input-1': { type: 'STRING', label: 'word' } },
      edges: [['string-input-1/output', 'say-1/word']],
    });
    const { data } = await client.call(versions.getVersion, { params: { id: inner, versionId: 'latest' } });
    await client.call(versions.saveVersion, { params: { id: inner }, body: { data, snapshot: true } });
    const wrapped = await client.call(library.createModule, { body: { name: 'greet', workflow: inner } });
    expect(wrapped).toMatchObject({
      type: 'MODULE',
      inputs: [{ name: 'word', required: true }],
      outputs: [{ name: 'said' }],
    });
    // Later versions of the workflow do not change the published module.
    await client.call(versions.saveVersion, { params: { id: inner }, body: { data: { nodes: {} } } });
    const body = { name: 'shout', script: { source: 'tr a-z A-Z < in/*/output.txt' } };
    const shout = await client.call(library.createModule, { body });
    const run = await runToEnd(account, {
      nodes: { 'greet-1': wrapped.node, 'shout-1': shout.node } as never,
      inputs: { 'string-input-1': { type: 'STRING', label: 'word', value: 'there' } },
      edges: [
        ['string-input-1/output', 'greet-1/word'],
        ['greet-1/said', 'shout-1/file'],
      ],
    });
    expect(run).toMatchObject({ status: 'COMPLETED' });
    expect(await readFilePort(client, run.id, 'shout-1')).toBe('HELLO THERE\n');
    const { results } = await client.call(library.listModuleUses, { params: { id: shout.id } });
    expect(results).toMatchObject([{ id: run.workflow_info, nodes: ['shout-1'] }]);
    const found = await client.call(workflows.getWorkflow, { params: { id: run.workflow_info } });
    expect(found.id).toBe(results[0]?.id);
  });
});
