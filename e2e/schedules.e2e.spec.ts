import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { outputs, runs, schedules, versions, workflows } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { checkedFetch } from './support/checked-fetch.js';
import { recordSecret } from './support/record-secret.js';
import { makeWorkflow, readFilePort, script, toData, waitForEnd } from './support/run-workflow.js';
import { rawRequest, signUp, type Account } from './support/sign-up.js';

let account: Account;
beforeAll(async () => {
  account = await signUp();
});

const draft = (word: string) => ({ nodes: { 'only-1': script(`echo ${word}`) } });

/** Waits until ticks have started at least this many runs. @returns the ids of the runs */
const waitForTicks = (id: string, atLeast: number): Promise<string[]> =>
  eventually(async () => {
    const query = { status: 'started' as const, ordering: 'date' };
    const { results } = await account.client.call(schedules.listTicks, { params: { id }, query });
    expect(results.length).toBeGreaterThanOrEqual(atLeast);
    return results.map(({ run }) => run ?? '');
  });

describe('a schedule', () => {
  it('runs the latest version of a workflow repeatedly, until it is turned off', async () => {
    const { client } = account;
    const id = await makeWorkflow(account, draft('first'));
    await client.call(schedules.setSchedule, { params: { id }, body: { repeat_period: 0 } });
    const [first = ''] = await waitForTicks(id, 1);
    expect(await waitForEnd(client, first)).toMatchObject({ status: 'COMPLETED', creation_type: 'SCHEDULED' });
    await client.call(versions.saveVersion, { params: { id }, body: { data: toData(draft('second')) } });
    // The next run may have started before the new version was saved.
    const latest = (await waitForTicks(id, 3))[2] ?? '';
    await waitForEnd(client, latest);
    expect(await readFilePort(client, latest, 'only-1')).toBe('second\n');
    await client.call(schedules.setSchedule, { params: { id }, body: { repeat_period: 0, enabled: false } });
    const { schedule_info } = await client.call(workflows.getWorkflow, { params: { id } });
    expect(schedule_info).toMatchObject({ enabled: false, next_date: null, last_tick: { date: expect.any(String) } });
    const { results } = await client.call(runs.listWorkflowRuns, { params: { id } });
    for (const { creation_type } of results) expect(creation_type).toBe('SCHEDULED');
  });

  it('responds as documented', async () => {
    const id = await makeWorkflow(account, draft('never'));
    const path = `/api/workflows/${id}/schedule`;
    const put = (body: object) => rawRequest(account, 'PUT', path, { body: JSON.stringify(body) });
    const set = await put({ cron: '0 9 * * *', timezone: 'Europe/Berlin' });
    expect(set).toMatchObject({ status: 200, body: { enabled: true, next_date: expect.any(String) } });
    for (const body of [
      {},
      { cron: 'x' },
      { cron: '0 0 30 2 *' },
      { repeat_period: -1 },
      { cron: '* * * * *', timezone: 'X' },
    ]) {
      expect(await put(body)).toMatchObject({ status: 400, body: { code: 'validation_error' } });
    }
    expect((await rawRequest(account, 'DELETE', path)).status).toBe(204);
    expect((await rawRequest(account, 'DELETE', path)).status).toBe(404);
  });
});

const WORDS = {
  nodes: {
    'only-1': {
      type: 'TOOL' as const,
      container: { command: ['/bin/echo'] },
      output_command: '>',
      inputs: { word: { type: 'STRING', order: 1 } },
    },
  },
  inputs: { 'string-input-1': { type: 'STRING', label: 'word' } },
  edges: [['string-input-1/output', 'only-1/word'] as [string, string]],
};

const LINES = {
  nodes: { 'only-1': { type: 'SCRIPT' as const, script: { source: 'cat in/*/*' } } },
  inputs: { 'http-input-1': { type: 'FILE', label: 'payload' } },
  edges: [['http-input-1/output', 'only-1/file'] as [string, string]],
};

describe('a hook', () => {
  it('starts a run for any client that has its URL, with the payload of the request', async () => {
    const { client } = account;
    const id = await makeWorkflow(account, WORDS);
    const made = await rawRequest(account, 'POST', `/api/workflows/${id}/hook`, { body: '{}' });
    expect(made).toMatchObject({ status: 201, body: { token: expect.any(String), url: expect.any(String) } });
    const fire = async (url: string, body: string | undefined, key = '') => {
      const headers = { ...(body && { 'content-type': 'application/json' }), ...(key && { 'idempotency-key': key }) };
      const response = await checkedFetch(url, { method: 'POST', headers, ...(body && { body }) });
      return {
        status: response.status,
        body: (await response.json()) as { run?: string; code?: string; details?: object },
      };
    };
    const url = String(made.body['url']);
    const first = await fire(url, '{"word":"hello"}', 'delivery-1');
    expect(first).toMatchObject({ status: 202, body: { run: expect.stringMatching(/^\d+$/) } });
    expect(await fire(url, '{"word":"hello"}', 'delivery-1')).toEqual(first);
    expect(await fire(url, '{"words":"hello"}')).toMatchObject({
      status: 400,
      body: { details: { 'inputs.words': expect.stringContaining('Did you mean "word"?') } },
    });
    const run = await waitForEnd(client, first.body.run ?? '');
    expect(run).toMatchObject({ status: 'COMPLETED', creation_type: 'HOOK' });
    expect((await client.call(outputs.listRunOutputs, { params: { id: run.id } })).count).toBeGreaterThan(0);

    const missing = await fire(url, undefined);
    const direct = await rawRequest(account, 'POST', `/api/workflows/${id}/runs`, { body: '{}' });
    expect({ status: missing.status, ...missing.body }).toEqual({ status: 400, ...direct.body });
    expect(await fire(url, '[1]')).toMatchObject({ status: 400, body: { details: { body: 'must be a JSON object' } } });
    expect(await fire(`${url}x`, '{}')).toMatchObject({
      status: 404,
      body: {
        code: 'not_found',
        message: 'This hook does not exist. It was deleted, or its token was replaced.',
      },
    });
    const { results } = await client.call(runs.listWorkflowRuns, { params: { id } });
    expect(results.map((one) => one.id)).toEqual([run.id]);
  });

  it('accepts a signed payload of any type completely, as text or as a file', async () => {
    const { client } = account;
    const secret = recordSecret('e2e-hook-signing-secret');
    for (const draft of [WORDS, LINES]) {
      const id = await makeWorkflow(account, draft);
      const payload_as = Object.keys(draft.inputs)[0];
      const signature = { scheme: 'hmac', secret, header: 'X-Sign', algorithm: 'sha1', encoding: 'base64' };
      const made = await rawRequest(account, 'POST', `/api/workflows/${id}/hook`, {
        body: JSON.stringify({ payload_as, signature }),
      });
      expect(made).toMatchObject({
        status: 201,
        body: { payload_as, signature: { scheme: 'hmac', header: 'X-Sign' } },
      });
      const body = 'token=abc&text=hello+w%C3%B6rld';
      const send = async (sign: string) => {
        const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-sign': sign };
        const response = await checkedFetch(String(made.body['url']), { method: 'POST', headers, body });
        return { status: response.status, body: (await response.json()) as { run?: string; code?: string } };
      };
      expect(await send('bm9uZQ==')).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
      const { run = '' } = (await send(createHmac('sha1', secret).update(body).digest('base64'))).body;
      expect(await waitForEnd(client, run)).toMatchObject({ status: 'COMPLETED', creation_type: 'HOOK' });
      expect((await readFilePort(client, run, 'only-1')).trim()).toBe(body);
    }
  });
});
