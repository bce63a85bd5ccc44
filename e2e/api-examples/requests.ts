import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { TOTP } from 'otpauth';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import {
  control,
  devices,
  failures,
  invitations,
  joinTokens,
  mfa,
  notifications,
  loads,
  outputs,
  passwords,
  runs,
  sessions,
  subjobs,
  usage,
  webhooks,
} from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { invite } from '../support/invite.js';
import { makeAdmin } from '../support/make-admin.js';
import { makeOneOfEach, makeSpace, sampleRequestOf, type OneOfEach } from '../support/one-of-each.js';
import { openSandbox, putFile, vaultOf, waitUntilRunning } from '../support/open-sandbox.js';
import { readMail } from '../support/read-mail.js';
import { findNode, runToEnd, script, startRun, waitForEnd } from '../support/run-workflow.js';
import type { RequestOf } from '../support/sample-request.js';
import { signUp, type Account } from '../support/sign-up.js';

/** The records that the examples use. */
export interface ExampleWorld extends OneOfEach {
  vault: string;
  /** A run in which three of six children of `scan-1` have failed. */
  failedRun: string;
  /** The task group of `scan-1`. */
  group: string;
}

const SCAN = {
  nodes: {
    'hosts-1': script('seq 6'),
    'scan-1': script('[ $(($1 % 2)) = 0 ] || { echo "no route to host" >&2; exit 4; }; echo "host $1"', {
      inputs: { item: { type: 'STRING', order: 1 } },
      distribution: { input: 'item', mode: 'line' },
      on_error: 'continue',
      retries: 0,
    }),
  },
  edges: [['hosts-1/file', 'scan-1/item']] as [string, string][],
};

export async function makeExampleWorld(): Promise<ExampleWorld> {
  const owner = await signUp();
  const world = await makeOneOfEach(owner);
  const run = await runToEnd(owner, SCAN);
  const group = await findNode(owner.client, run.id, 'scan-1');
  await eventually(() => expectEffects(world));
  return { ...world, vault: await vaultOf(owner), failedRun: run.id, group: group.id };
}

/** What follows from the records of the world a moment later: notifications, usage, and the attempt of a delivery. */
async function expectEffects({ owner: { client }, webhook, delivery }: OneOfEach): Promise<void> {
  const params = { id: webhook, deliveryId: delivery };
  expect((await client.call(webhooks.getDelivery, { params })).attempt_count).toBeGreaterThan(0);
  expect((await client.call(notifications.listNotifications, {})).count).toBeGreaterThan(1);
  expect((await client.call(usage.listUsage, {})).count).toBeGreaterThan(0);
}

type ExampleRequest = RequestOf<ExampleWorld>;

const GATED = { nodes: { 'ok-1': { type: 'APPROVAL' as const, approval: { message: 'Publish the report?' } } } };

/** A run that waits for an approval, and the subjob that waits. */
async function makeWaitingRun({ owner }: ExampleWorld): Promise<{ id: string; subjobId: string }> {
  const { id } = await startRun(owner, GATED);
  return eventually(async () => {
    const { id: subjobId, approval } = await findNode(owner.client, id, 'ok-1');
    if (approval?.state !== 'open') throw new Error('The approval is not requested yet');
    return { id, subjobId };
  });
}

const ofWaitingRun: ExampleRequest = async (world) => ({ params: { id: (await makeWaitingRun(world)).id } });
const ofWaitingSubjob: ExampleRequest = async (world) => ({ params: { ...(await makeWaitingRun(world)) } });
const ofFailedRun: ExampleRequest = ({ failedRun }) => ({ params: { id: failedRun } });
const ofGroup: ExampleRequest = ({ failedRun, group }) => ({ params: { id: failedRun, subjobId: group } });

/** A failed child of a new run. */
const ofFailedChild: ExampleRequest = async ({ owner }) => {
  const { id } = await runToEnd(owner, SCAN);
  const group = await findNode(owner.client, id, 'scan-1');
  const { results } = await owner.client.call(subjobs.listChildren, {
    params: { id, subjobId: group.id },
    query: { status: 'FAILED' },
  });
  return { params: { id, subjobId: results[0]?.id ?? '' } };
};

const DEVICE = { client_id: 'svc-cli' } as const;
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const requestDevice = ({ client }: Account) => client.call(devices.requestDeviceCode, { body: DEVICE });

/** The token of a new invitation, from its mail. */
async function inviteByMail({ client }: Account): Promise<string> {
  const email = `guest-${randomUUID()}@example.org`;
  await client.call(invitations.createInvitation, { body: { email } });
  const { link } = await readMail(email, /invite/i);
  return link?.searchParams.get('token') ?? '';
}

const newSession = async ({ client, email, password }: Account) =>
  client.call(sessions.login, { body: { email, password } });

/** A user with a new secret for an authenticator app, and its current code. */
async function beginMfa({ owner }: ExampleWorld): Promise<{ as: Account; code: string }> {
  const as = await invite(owner);
  const { secret } = await as.client.call(mfa.beginMfa, {});
  return { as, code: new TOTP({ secret }).generate() };
}

/** A session of a sandbox that runs, with the file `notes.txt`. */
async function makeSandbox({ owner }: ExampleWorld): Promise<string> {
  const place = { agentSessionId: 'example' };
  const sessionId = await openSandbox(owner, place);
  await waitUntilRunning(owner, place);
  await putFile(owner, sessionId, 'notes.txt', 'one\ntwo\n');
  return sessionId;
}

const inSandbox =
  (more: Record<string, string> = {}): ExampleRequest =>
  async (world) => ({ query: { sessionId: await makeSandbox(world), ...more } });

/** Requests that succeed, for operations whose sample request is missing or only passes the checks of the caller. */
const EXAMPLE_REQUESTS: Record<string, ExampleRequest> = {
  'auth.sessions.signup': () => ({
    body: { email: `e2e-${randomUUID()}@example.org`, password: `correct horse ${randomUUID()}`, name: 'Ann Example' },
  }),
  'auth.sessions.login': ({ owner: { email, password } }) => ({ body: { email, password } }),
  'auth.sessions.refresh': async ({ owner }) => ({ body: { refresh: (await newSession(owner)).refresh } }),
  'auth.sessions.logout': async ({ owner }) => ({ body: { refresh: (await newSession(owner)).refresh } }),
  'auth.users.regenerateToken': async ({ owner }) => ({ as: await invite(owner) }),
  'auth.devices.requestCode': () => ({ body: DEVICE }),
  'auth.devices.describe': async ({ owner }) => ({ query: { user_code: (await requestDevice(owner)).user_code } }),
  'auth.devices.approve': async ({ owner }) => ({ body: { user_code: (await requestDevice(owner)).user_code } }),
  'auth.devices.token': async ({ owner }) => {
    const { device_code, user_code } = await requestDevice(owner);
    await owner.client.call(devices.approveDevice, { body: { user_code } });
    return { body: { grant_type: GRANT, device_code, ...DEVICE } };
  },
  'auth.joinedWorkers.join': async () => {
    const { client } = await makeAdmin();
    const { token } = await client.call(joinTokens.createJoinToken, { body: { name: 'gpu machines', fleet: 'gpu' } });
    return { body: { token, name: 'gpu-1.example.org' } };
  },
  'auth.mfa.begin': async ({ owner }) => ({ as: await invite(owner) }),
  'auth.mfa.confirm': async (world) => {
    const { as, code } = await beginMfa(world);
    return { as, body: { code } };
  },
  'auth.mfa.remove': async (world) => {
    const { as, code } = await beginMfa(world);
    await as.client.call(mfa.confirmMfa, { body: { code } });
    return { as };
  },
  'auth.passwords.change': async ({ owner }) => {
    const as = await invite(owner);
    return { as, body: { current_password: as.password, password: `correct horse ${randomUUID()}` } };
  },
  'auth.passwords.requestReset': ({ guest }) => ({ body: { email: guest.email } }),
  'auth.passwords.confirmReset': async ({ owner }) => {
    const { client, email } = await invite(owner);
    await client.call(passwords.requestReset, { body: { email } });
    const { link } = await readMail(email, /password/i);
    const token = link?.searchParams.get('token') ?? '';
    return { body: { token, password: `correct horse ${randomUUID()}` } };
  },
  'auth.invitations.describe': async ({ owner }) => ({ body: { token: await inviteByMail(owner) } }),
  'auth.invitations.accept': async ({ owner }) => ({
    body: { token: await inviteByMail(owner), name: 'Ben Example', password: `correct horse ${randomUUID()}` },
  }),
  'auth.audit.list': () => ({ query: { action: 'team.created' } }),
  'auth.members.update': ({ guest }) => ({ params: { id: guest.user }, body: { disabled: false } }),
  'workflows.spaces.delete': async ({ owner }) => ({ params: { id: await makeSpace(owner) } }),
  'workflows.folders.list': () => ({ query: { path: 'mine' } }),
  'notifications.config.update': () => ({ body: { config: '{"RUN_FAILED": {"email": false}}' } }),
  'notifications.notifications.mark': () => ({ body: { notification_type: 'MANUAL_RUN_COMPLETED' } }),
  'notifications.notifications.stream': () => ({ query: { after: '0' } }),
  'runs.runs.create': ({ workflow }) => ({ params: { id: workflow }, body: { name: 'Nightly', parallelism: 4 } }),
  'runs.runs.list': ({ space }) => ({ query: { space, status: 'COMPLETED,FAILED', page_size: '2' } }),
  'runs.runs.get': ofFailedRun,
  'runs.runs.pause': ofWaitingRun,
  'runs.runs.resume': async (world) => {
    const { id } = await makeWaitingRun(world);
    await world.owner.client.call(control.pauseRun, { params: { id } });
    return { params: { id } };
  },
  'runs.runs.stop': ofWaitingRun,
  'runs.runs.retry': async ({ owner }) => ({
    params: { id: (await runToEnd(owner, SCAN)).id },
    body: { nodes: ['scan-1'] },
  }),
  'runs.runs.plan': ({ workflow }) => ({ params: { id: workflow }, body: { parallelism: 4 } }),
  'runs.subjobs.list': ofFailedRun,
  'runs.subjobs.children': async (world) => ({
    ...(await ofGroup(world)),
    query: { status: 'FAILED', page_size: '2' },
  }),
  'runs.subjobs.statuses': ofGroup,
  'runs.subjobs.distribution': ofGroup,
  'runs.subjobs.stop': ofWaitingSubjob,
  'runs.subjobs.retry': ofFailedChild,
  'runs.subjobs.skip': async (world) => ({ ...(await ofFailedChild(world)), body: { comment: 'Host is gone' } }),
  'runs.approvals.approve': async (world) => ({ ...(await ofWaitingSubjob(world)), body: { comment: 'Looks good' } }),
  'runs.approvals.reject': async (world) => ({ ...(await ofWaitingSubjob(world)), body: { comment: 'Not yet' } }),
  'runs.failures.list': ofFailedRun,
  'runs.failures.subjobs': async ({ owner, failedRun }) => {
    const { results } = await owner.client.call(failures.listFailures, { params: { id: failedRun } });
    return { params: { id: failedRun, group: results[0]?.id ?? '' }, query: { page_size: '2' } };
  },
  'runs.outputs.downloadSigned': async ({ owner, output }) => {
    const { url } = await owner.client.call(outputs.signOutput, { params: { id: output } });
    return { params: { id: output }, query: Object.fromEntries(new URL(url).searchParams) };
  },
  'runs.sandboxes.start': ({ vault }) => ({ body: { vaultId: vault, agentSessionId: 'example' } }),
  'runs.sandboxes.stop': inSandbox(),
  'runs.sandboxes.exec': async (world) => ({
    body: { sessionId: await makeSandbox(world), command: 'wc -l notes.txt', timeout_seconds: 10 },
  }),
  'runs.sandboxes.listFiles': inSandbox(),
  'runs.sandboxes.readFile': inSandbox({ path: 'notes.txt' }),
  'runs.sandboxes.writeFile': inSandbox({ path: 'notes.txt' }),
  'runs.sandboxes.deleteFiles': inSandbox({ path: 'notes.txt' }),
  'datasets.reportingNodes.load': async ({ owner, workflow, reportingNode }) => {
    const { id: run } = await owner.client.call(runs.createRun, { params: { id: workflow }, body: {} });
    await waitForEnd(owner.client, run);
    // The run is loaded by itself, too. The response is the load that came first, so that one always does.
    await eventually(async () => {
      const { count } = await owner.client.call(loads.listRunLoads, { params: { id: run } });
      expect(count).toBeGreaterThan(0);
    });
    return { params: { id: reportingNode }, body: { run } };
  },
  'datasets.datasets.list': ({ solution }) => ({ query: { solution } }),
  'datasets.rows.query': ({ dataset }) => ({ params: { id: dataset }, query: { q: 'host != null', page_size: '2' } }),
  'datasets.rows.aggregate': ({ dataset }) => ({ params: { id: dataset }, query: { group_by: 'host' } }),
  'notifications.tableFollows.set': ({ dataset }) => ({ params: { id: dataset }, body: { email: false } }),
  'notifications.viewFollows.set': ({ solution, view }) => ({
    params: { solutionId: solution, viewId: view },
    body: { email: false },
  }),
  'billing.plans.choose': () => ({ body: { plan: 'team' } }),
};

/** The query of a list, so that its example is short. */
const SHORT_PAGE = { page_size: '2' };

/** A request to an operation that succeeds. @throws if there is none for an operation with parameters */
export function exampleRequestOf(operation: AnyOperation): ExampleRequest {
  const requestOf = EXAMPLE_REQUESTS[operation.name] ?? sampleRequestOf(operation);
  if (operation.list === null) return requestOf;
  return async (world) => {
    const { query, ...request } = await requestOf(world);
    return { ...request, query: { ...query, ...SHORT_PAGE } };
  };
}
