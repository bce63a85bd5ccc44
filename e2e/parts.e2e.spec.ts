import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Run } from '@millrace/contracts/records';
import { runs, subjobs } from '@millrace/contracts/resources';
import { findNode, makeWorkflow, readFilePort, runToEnd, script, waitForEnd } from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';

let account: Account;
let workflow: string;
beforeAll(async () => {
  account = await signUp();
  workflow = await makeWorkflow(account, draft);
});

/** Each execution writes another number, so outputs show what was executed again. */
const draft = {
  nodes: {
    'hosts-1': script('echo "hosts $1 $RANDOM$RANDOM"', { inputs: { name: { type: 'STRING', order: 1 } } }),
    'scan-1': script('cat in/hosts-1/output.txt; echo "scan $RANDOM$RANDOM"'),
    'report-1': script('cat in/scan-1/output.txt; echo "report $RANDOM$RANDOM"'),
    'count-1': script('wc -l < in/hosts-1/output.txt'),
  },
  edges: [
    ['string-input-1/output', 'hosts-1/name'],
    ['hosts-1/file', 'scan-1/file'],
    ['scan-1/file', 'report-1/file'],
    ['hosts-1/file', 'count-1/file'],
  ] as [string, string][],
  inputs: { 'string-input-1': { type: 'STRING', label: 'name', value: 'usual' } },
};

type Body = Parameters<typeof start>[0];
const start = (body: {
  part?: { from?: string[]; until?: string[] };
  reuse_run?: string;
  inputs?: Record<string, string>;
}) => account.client.call(runs.createRun, { params: { id: workflow }, body });

async function runPart(body: Body): Promise<Run> {
  const run = await waitForEnd(account.client, (await start(body)).id);
  expect(run.status).toBe('COMPLETED');
  return run;
}

/** Whether each node of a run was taken over, by its name. */
async function listReused(run: string): Promise<Record<string, boolean>> {
  const { results } = await account.client.call(subjobs.listSubjobs, { params: { id: run }, query: {} });
  return Object.fromEntries(results.map(({ node, cached }) => [node, cached]));
}

describe('a part of a workflow', () => {
  it('ends at the nodes of `until`, and takes all inputs of the workflow', async () => {
    const run = await runPart({ part: { until: ['scan-1'] }, inputs: { name: 'other' } });
    expect(run.part).toEqual({ from: [], until: ['scan-1'] });
    expect(await listReused(run.id)).toEqual({ 'hosts-1': false, 'scan-1': false });
    expect(await readFilePort(account.client, run.id, 'scan-1')).toContain('hosts other');
  });

  it('begins at the nodes of `from`, with the other results and the inputs of an earlier run', async () => {
    const former = await runPart({ inputs: { name: 'special' } });
    expect(former.part).toBeUndefined();
    const run = await runPart({ part: { from: ['scan-1'] }, reuse_run: former.id });
    expect(run.parent_run).toBe(former.id);
    expect(await listReused(run.id)).toEqual({
      'hosts-1': true,
      'scan-1': false,
      'report-1': false,
      'count-1': true,
    });
    const [before, after] = [former, run].map(({ id }) => readFilePort(account.client, id, 'report-1'));
    const [formerLines, lines] = [(await before)?.split('\n'), (await after)?.split('\n')];
    expect(lines?.[0]).toBe(formerLines?.[0]);
    expect(lines?.[0]).toContain('hosts special');
    expect(lines?.[1]).not.toBe(formerLines?.[1]);
  });

  it('is a single node again, if it begins and ends there', async () => {
    const former = await runPart({});
    const run = await runPart({ part: { from: ['report-1'], until: ['report-1'] }, reuse_run: former.id });
    expect(await listReused(run.id)).toEqual({ 'hosts-1': true, 'scan-1': true, 'report-1': false });
    const { cached_from_run } = await findNode(account.client, run.id, 'scan-1');
    expect(cached_from_run).toBe(former.id);
  });

  it('executes what the earlier run has no valid result for', async () => {
    const former = await runPart({ part: { until: ['hosts-1'] } });
    const run = await runPart({ reuse_run: former.id });
    expect(await listReused(run.id)).toMatchObject({ 'hosts-1': true, 'scan-1': false, 'report-1': false });
    const changed = await runPart({ reuse_run: former.id, inputs: { name: 'changed' } });
    expect(await listReused(changed.id)).toMatchObject({ 'hosts-1': false });
  });

  it('is refused if the workflow does not have it, and no run starts', async () => {
    const former = await runPart({ part: { until: ['hosts-1'] } });
    const count = async () => (await account.client.call(runs.listRuns, { query: {} })).count;
    const runsBefore = await count();
    const refusals = [
      [{ part: { until: ['scam-1'] } }, 'body.part.until.0', 'scan-1'],
      [{ part: { from: ['scan-1'] } }, 'body.part.from', 'reuse_run'],
      [{ part: { from: ['count-1'], until: ['scan-1'] }, reuse_run: former.id }, 'body.part.from.0', 'until'],
    ] as const;
    for (const [body, field, text] of refusals) {
      const refused = { code: 'validation_error', details: { [field]: expect.stringContaining(text) } };
      await expect(start(body as unknown as Body)).rejects.toMatchObject(refused);
    }
    const other = await runToEnd(account, draft);
    const refused = {
      code: 'validation_error',
      details: { 'body.reuse_run': expect.stringContaining('another workflow') },
    };
    await expect(start({ reuse_run: other.id })).rejects.toMatchObject(refused);
    await expect(start({ reuse_run: '999999999' })).rejects.toMatchObject({ code: 'not_found' });
    expect(await count()).toBe((runsBefore ?? 0) + 1);
  });
});
