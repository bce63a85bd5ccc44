import { beforeAll, describe, expect, it } from '@jest/globals';
import { approvals, auditLog, notifications, roles, runs, subjobs } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { invite } from './support/invite.js';
import {
  findNode,
  makeWorkflow,
  readFilePort,
  runToEnd,
  script,
  startRun,
  waitForEnd,
} from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';

let account: Account;
beforeAll(async () => {
  account = await signUp();
});

const approval = (more: Record<string, unknown> = {}) => ({
  type: 'APPROVAL' as const,
  approval: { message: 'Ship it?', ...more },
});

const gated = (more: Record<string, unknown> = {}) => ({
  nodes: { 'build-1': script('echo built'), 'ok-1': approval(more), 'ship-1': script('cat in/ok-1/output.txt') },
  edges: [
    ['build-1/file', 'ok-1/file'],
    ['ok-1/file', 'ship-1/file'],
  ] as [string, string][],
});

const waitingNode = (run: string) =>
  eventually(async () => {
    const node = await findNode(account.client, run, 'ok-1');
    expect(node.approval).toMatchObject({ state: 'open', message: 'Ship it?', role: 'execute' });
    return node;
  });

describe('an approval', () => {
  it('lets the run continue, and tells the next step and the audit log who approved it and why', async () => {
    const run = await startRun(account, gated());
    const node = await waitingNode(run.id);
    expect(node.status).toBe('PENDING');
    const waiting = await account.client.call(runs.getRun, { params: { id: run.id } });
    expect(waiting.waiting_for).toMatchObject([{ reason: 'approval', count: 1, subjobs: [node.id] }]);
    await eventually(async () => {
      const { results } = await account.client.call(notifications.listNotifications, { query: {} });
      const types = results.filter(({ metadata }) => metadata['run'] === run.id).map(({ type }) => type);
      expect(types).toEqual(['APPROVAL_REQUESTED']);
    });
    const params = { id: run.id, subjobId: node.id };
    const approved = await account.client.call(approvals.approveSubjob, {
      params,
      body: { comment: 'tests are green' },
    });
    expect(approved).toMatchObject({
      status: 'SUCCEEDED',
      approval: { state: 'approved', comment: 'tests are green' },
    });
    expect((await waitForEnd(account.client, run.id)).status).toBe('COMPLETED');
    const file = JSON.parse(await readFilePort(account.client, run.id, 'ship-1')) as object;
    expect(file).toMatchObject({ decision: 'approved', email: account.email, comment: 'tests are green' });
    const again = account.client.call(approvals.approveSubjob, { params, body: {} });
    await expect(again).rejects.toMatchObject({ code: 'validation_error' });
    const { results } = await eventually(async () => {
      const page = await account.client.call(auditLog.listAuditLog, { query: { action: 'approval.approved' } });
      expect(page.results).toHaveLength(1);
      return page;
    });
    expect(results[0]).toMatchObject({
      target_type: 'run',
      target_id: run.id,
      details: { node: 'ok-1', comment: 'tests are green' },
    });
  });

  it('fails the run if it is rejected', async () => {
    const run = await startRun(account, gated());
    const { id } = await waitingNode(run.id);
    await account.client.call(approvals.rejectSubjob, {
      params: { id: run.id, subjobId: id },
      body: { comment: 'not today' },
    });
    expect(await waitForEnd(account.client, run.id)).toMatchObject({
      status: 'FAILED',
      error: `ok-1: rejected by ${account.email}: not today`,
    });
  });

  it('decides itself when it expires', async () => {
    const run = await runToEnd(account, gated({ expires_after_seconds: 1, on_expiry: 'approve' }));
    expect(run.status).toBe('COMPLETED');
    expect((await findNode(account.client, run.id, 'ok-1')).message).toBe('approved because nobody decided in time');
    const [entry] = await eventually(async () => {
      const { results } = await account.client.call(auditLog.listAuditLog, { query: { action: 'approval.expired' } });
      expect(results).toHaveLength(1);
      return results;
    });
    expect(entry).toMatchObject({ target_id: run.id, details: { node: 'ok-1', decision: 'approved' } });
    expect(entry).not.toHaveProperty('actor');
  });

  it('can require a stronger role than starting runs does', async () => {
    const run = await startRun(account, gated({ role: 'owner' }));
    const guest = await invite(account);
    const inSpace = { spaceId: account.space, id: guest.user };
    await account.client.call(roles.setUserSpaceRole, { params: inSpace, body: { role: 'execute' } });
    const node = await eventually(async () => {
      const found = await findNode(account.client, run.id, 'ok-1');
      expect(found.approval?.state).toBe('open');
      return found;
    });
    const params = { id: run.id, subjobId: node.id };
    await expect(guest.client.call(approvals.approveSubjob, { params, body: {} })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(guest.client.call(subjobs.skipSubjob, { params, body: {} })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await account.client.call(runs.stopRun, { params: { id: run.id } });
    expect((await waitForEnd(account.client, run.id)).status).toBe('STOPPED');
    const withdrawn = await account.client.call(subjobs.getSubjob, { params });
    expect(withdrawn.approval?.state).toBe('withdrawn');
  });
});

describe('a condition', () => {
  it('skips its node with the reason, and the others run', async () => {
    const run = await runToEnd(account, {
      nodes: {
        'scan-1': script('echo low; echo more'),
        'alert-1': script('echo alert', { when: "nodes.scan-1.first_line = 'high'" }),
        'report-1': script('echo report', { when: 'nodes.scan-1.lines >= 2' }),
        'after-1': script('cat in/*/output.txt'),
      },
      edges: [
        ['alert-1/file', 'after-1/file'],
        ['report-1/file', 'after-1/file'],
      ],
    });
    expect(run).toMatchObject({ status: 'COMPLETED', has_failures: false, run_insights: { succeeded: 3, skipped: 1 } });
    expect((await findNode(account.client, run.id, 'alert-1')).message).toBe(
      'skipped: its condition is false: nodes.scan-1.first_line = "high" (it is "low")',
    );
    expect(await readFilePort(account.client, run.id, 'after-1')).toBe('report\n');
  });

  it('chooses by an input of the run', async () => {
    const workflow = await makeWorkflow(account, {
      nodes: { 'deep-1': script('echo deep', { when: "inputs.mode = 'deep'" }) },
      inputs: { 'string-input-1': { type: 'STRING', label: 'mode', value: 'quick' } },
    });
    const statusOf = async (inputs: Record<string, string>) => {
      const run = await account.client.call(runs.createRun, { params: { id: workflow }, body: { inputs } });
      await waitForEnd(account.client, run.id);
      return (await findNode(account.client, run.id, 'deep-1')).status;
    };
    expect([await statusOf({}), await statusOf({ mode: 'deep' })]).toEqual(['SKIPPED', 'SUCCEEDED']);
  });
});
