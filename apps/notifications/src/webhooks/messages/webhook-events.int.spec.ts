import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { describeVault } from '@millrace/contracts/auth/vaults';
import { vaultUnrestricted, vaultRestricted } from '@millrace/contracts/billing/events';
import { createWebhook } from '@millrace/contracts/notifications/webhooks';
import { runFinished } from '@millrace/contracts/runs/runs';
import { moduleReleased } from '@millrace/contracts/workflows/library';
import { snapshotPublished } from '@millrace/contracts/workflows/snapshots';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { runEnd } from '../../testing/run-end.js';
import { startWebhookSystem, type WebhookBody, type WebhookSystem } from '../../testing/webhook-system.js';

/** Earlier than the event is handled. */
const EARLIER = '2026-01-02T03:04:05.678Z';

let system: WebhookSystem;
beforeAll(async () => {
  system = await startWebhookSystem();
});
afterEach(() => system.closeReceivers());
afterAll(() => system.close());

describe('an event', () => {
  it('arrives signed, and its delivery lists the request and the response', async () => {
    const receiver = await system.receive(() => (response) => {
      response.writeHead(202, { 'content-type': 'text/plain', 'x-queue': 'a' }).end('thanks');
    });
    const subscribed = await system.subscribe(`${receiver.url}/in?key=k`);
    const end = runEnd(subscribed.owner);
    await system.runs.emit(runFinished, end);
    const delivery = await system.settled(subscribed, 'delivered');
    const [message, ...more] = receiver.received;
    expect(more).toEqual([]);
    expect(message?.path).toBe('/in?key=k');
    const { body = '', headers } = message ?? {};
    expect(new Webhook(subscribed.secret).verify(body, headers ?? {})).toEqual({
      type: 'run.completed',
      timestamp: end.finishedAt,
      data: expect.objectContaining({ run: '42', workflow: end.workflow, space: end.space, status: 'COMPLETED' }),
    });
    expect(delivery).toMatchObject({ id: message?.id, event: 'run.completed', response_status: 202, body });
    expect(delivery).not.toHaveProperty('error');
    expect(delivery).not.toHaveProperty('next_attempt_date');
    const [attempt] = delivery.attempts;
    expect(attempt?.request.headers['webhook-signature']).toBe(headers?.['webhook-signature']);
    expect(attempt?.response).toMatchObject({ status: 202, body: 'thanks', truncated: false });
    expect(attempt?.response?.headers).toMatchObject({ 'x-queue': 'a' });
  });

  it('is sent once to each webhook of its vault that subscribes to its type, workflow and space', async () => {
    const receiver = await system.receive();
    const { owner } = await system.subscribe(`${receiver.url}/all`);
    const end = runEnd(owner, { status: 'FAILED', error: 'exit code 1' });
    const subscriptions: Record<string, Partial<WebhookBody>> = {
      workflow: { workflow: end.workflow },
      space: { space: end.space },
      both: { workflow: end.workflow, space: end.space },
      'other-workflow': { workflow: end.space },
      'other-space': { space: end.workflow },
      'other-kind': { events: ['run.completed', 'tool.released'] },
      disabled: { enabled: false },
    };
    for (const [path, fields] of Object.entries(subscriptions)) {
      const body: WebhookBody = { name: path, url: `${receiver.url}/${path}`, events: ['run.failed'] };
      await system.callAs(owner, createWebhook, { body: { ...body, ...fields } });
    }
    await system.subscribe(`${receiver.url}/other-vault`);
    await system.runs.emit(runFinished, end);
    await system.runs.emit(runFinished, runEnd(owner, { status: 'STOPPED' }));
    await system.runs.emit(runFinished, { ...runEnd(owner), run: '43' });
    // The last event arrives after all deliveries of the earlier ones.
    await eventually(() => expect(receiver.received.filter(({ body }) => body.includes('"43"'))).toHaveLength(2));
    const failed = receiver.received.filter(({ body }) => body.includes('run.failed'));
    expect(failed.map(({ path }) => path).sort()).toEqual(['/all', '/both', '/space', '/workflow']);
    expect(new Set(failed.map(({ id }) => id)).size).toBe(4);
    expect(receiver.received.map(({ path }) => path)).toContain('/other-kind');
  });

  it('of the library is sent to subscribers of its type, its workflow and its space', async () => {
    const receiver = await system.receive();
    const owner = ownerCaller();
    const [auth, workflows] = [await system.fake('auth'), await system.sourceOf('workflows')];
    auth.on(describeVault, () => ({ name: 'V', users: [owner.user] }));
    const snapshot = {
      ...{ snapshot: newId(), name: 'Release', vault: owner.vault, space: newId(), workflow: newId() },
    };
    const all = { events: ['workflow.released', 'tool.released', 'script.released'] } as Pick<WebhookBody, 'events'>;
    const subscriptions: Record<string, Partial<WebhookBody>> = {
      all,
      tools: { events: ['tool.released'] },
      workflow: { ...all, workflow: snapshot.workflow },
      space: { ...all, space: snapshot.space },
      other: { ...all, space: newId() },
    };
    for (const [name, fields] of Object.entries(subscriptions)) {
      const body = { name, url: `${receiver.url}/${name}`, ...fields } as WebhookBody;
      await system.callAs(owner, createWebhook, { body });
    }
    const release = { ...{ vault: owner.vault, author: owner.user, name: 'grep', number: 2 } };
    await workflows.emit(snapshotPublished, {
      ...snapshot,
      workflowName: 'Scan',
      version: newId(),
      author: owner.user,
      at: EARLIER,
    });
    for (const type of ['TOOL', 'SCRIPT'] as const)
      await workflows.emit(moduleReleased, { ...release, type, module: newId(), at: EARLIER });
    const received = () =>
      receiver.received.map(({ path, body }) => `${path} ${(JSON.parse(body) as { type: string }).type}`).sort();
    const expected = [
      ...['workflow.released', 'tool.released', 'script.released'].map((type) => `/all ${type}`),
      ...['/tools tool.released', '/workflow workflow.released', '/space workflow.released'],
    ];
    await eventually(() => expect(received()).toEqual(expected.sort()));
    expect(receiver.received.find(({ path }) => path === '/space')?.body).toContain(snapshot.snapshot);
    for (const { body } of receiver.received) expect(JSON.parse(body)).toMatchObject({ timestamp: EARLIER });
  });

  it('of billing is sent once for each restriction and release', async () => {
    const receiver = await system.receive();
    const { owner } = await system.subscribe(receiver.url, { events: ['billing.restricted', 'billing.released'] });
    const billing = await system.sourceOf('billing');
    const { vault } = owner;
    await billing.emit(vaultRestricted, { vault, number: 1, at: EARLIER, reason: 'budget', stopRunning: true });
    await eventually(() => expect(receiver.received).toHaveLength(1));
    await billing.emit(vaultUnrestricted, { vault, number: 2, at: EARLIER });
    await eventually(() => expect(receiver.received).toHaveLength(2));
    expect(receiver.received.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
      { type: 'billing.restricted', timestamp: EARLIER, data: { number: 1, reason: 'budget', stop_running: true } },
      { type: 'billing.released', timestamp: EARLIER, data: { number: 2 } },
    ]);
  });

  it('is sent to Slack as text and blocks, unsigned', async () => {
    const receiver = await system.receive();
    const subscribed = await system.subscribe(`${receiver.url}/services/T/B/X`, { kind: 'slack' });
    await system.runs.emit(runFinished, runEnd(subscribed.owner, { status: 'FAILED', error: 'exit code 1' }));
    await system.settled(subscribed, 'delivered');
    const [message] = receiver.received;
    expect(message?.headers).not.toHaveProperty('webhook-signature');
    expect(JSON.parse(message?.body ?? '')).toEqual({
      text: expect.stringMatching(
        /^Run 42 \("nightly scan"\) of Port scan failed after 1 min 5 s <http\S+\/runs\/42\|Open>\n```exit code 1```$/,
      ),
      blocks: [
        expect.objectContaining({ text: { type: 'mrkdwn', text: expect.stringContaining(':x: Run 42') } }),
        expect.objectContaining({ text: { type: 'mrkdwn', text: '```exit code 1```' } }),
      ],
    });
  });
});
