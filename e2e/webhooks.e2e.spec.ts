import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { auditLog, runs, webhooks } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { serveHttp, type ServedHttp } from '@millrace/testkit/serve-http';
import { startOwnSystem, type OwnSystem } from './support/own-system.js';
import { queryDatabase } from './support/query-database.js';
import { recordSecret } from './support/record-secret.js';
import { makeWorkflow, script, waitForEnd } from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';

interface Received {
  id: string;
  headers: Record<string, string>;
  body: string;
}

let system: OwnSystem;
let account: Account;
let receiver: ServedHttp;
const received: Received[] = [];
let status = 200;
beforeAll(async () => {
  receiver = await serveHttp((request, response) => {
    void buffer(request).then((body) => {
      const headers = request.headers as Record<string, string>;
      received.push({ id: headers['webhook-id'] ?? '', headers, body: body.toString() });
      response.writeHead(status).end();
    });
  });
  system = await startOwnSystem({ EGRESS_ALLOW: '127.0.0.1' }, { separate: ['notifications'] });
  account = await signUp(system.url);
});
afterAll(async () => {
  await system.stop();
  await receiver.close();
});

const messagesOf = (run: string) =>
  received.filter(({ body }) => (JSON.parse(body) as { data: { run?: string } }).data.run === run);

/** Starts a run as soon as the system accepts it, and waits for its end. */
async function runToEnd(workflow: string): Promise<string> {
  const request = { params: { id: workflow }, body: {}, idempotencyKey: crypto.randomUUID() };
  const { id } = await eventually(() => account.client.call(runs.createRun, request));
  await waitForEnd(account.client, id);
  return id;
}

/** Makes waiting deliveries due now, instead of seconds or minutes later. */
async function makeDue(): Promise<void> {
  const statements = [
    'UPDATE notifications.webhook_delivery SET next_at = now() WHERE next_at IS NOT NULL',
    'UPDATE notifications.webhook SET wake_at = now() WHERE wake_at IS NOT NULL',
  ];
  for (const statement of statements) await queryDatabase(system.database, statement);
}

it('the end of a run is delivered once and signed, even if a process is killed, and the audit log names the author of the webhook', async () => {
  const { client } = account;
  const url = `${receiver.url}/in?key=${recordSecret(`in-a-query-${crypto.randomUUID()}`)}`;
  const made = await client.call(webhooks.createWebhook, {
    body: { name: 'Pager', url, events: ['run.completed', 'run.failed'] },
  });
  const failing = await makeWorkflow(account, { nodes: { 'only-1': script('exit 3') } });
  const working = await makeWorkflow(account, { nodes: { 'only-1': script('true') } });
  const ended: string[] = [];
  for (const victim of ['notifications', 'nats', 'notifications', 'postgres', 'redis', 'notifications']) {
    // The receiver rejects these messages, so the restarted service must send them again.
    status = 503;
    ended.push(await runToEnd(failing));
    process.kill(system.pidOf(victim), 'SIGKILL');
    status = 200;
    ended.push(await runToEnd(working));
    await eventually(makeDue);
  }
  const params = { id: made.id };
  await eventually(async () => {
    await makeDue();
    const { results } = await client.call(webhooks.listDeliveries, { params });
    expect(results).toHaveLength(ended.length);
    for (const delivery of results) expect(delivery.status).toBe('delivered');
  });
  for (const run of ended) expect(new Set(messagesOf(run).map(({ id }) => id)).size).toBe(1);
  expect(new Set(received.map(({ id }) => id)).size).toBe(ended.length);
  for (const { body, headers } of received) new Webhook(made.secret ?? '').verify(body, headers);
  const { results } = await client.call(auditLog.listAuditLog, { query: { action: 'webhook.created' } });
  expect(results).toMatchObject([{ actor: { id: account.user }, target_id: made.id, target_name: 'Pager' }]);
});
