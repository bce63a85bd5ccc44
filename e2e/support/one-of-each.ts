import { randomUUID } from 'node:crypto';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import {
  hooks,
  invitations,
  library,
  paymentMethods,
  notifications,
  projects,
  schedules,
  secrets,
  sessions,
  snapshots,
  spaces,
  storage,
  teams,
  versions,
  workflows,
} from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { ADMIN_REQUESTS } from './admin-of-each.js';
import { insertFleet, insertWorker } from './insert-worker.js';
import { invite } from './invite.js';
import { LIVE_TABLE_REQUESTS, makeLiveTables, type LiveTables } from './live-tables-of-each.js';
import { LOAD_REQUESTS } from './loads-of-each.js';
import { makeAdmin } from './make-admin.js';
import { vaultOf } from './open-sandbox.js';
import { findNode, listOutputs, makeWorkflow, runToEnd, script } from './run-workflow.js';
import type { RequestOf, SampleRequest } from './sample-request.js';
import type { Account } from './sign-up.js';
import { makeWebhook, WEBHOOK_REQUESTS, type Webhooks } from './webhooks-of-each.js';

/** One record of each kind in a vault, the vault's owner, and another user of the vault. */
export interface OneOfEach extends LiveTables, Webhooks {
  owner: Account;
  guest: Account;
  space: string;
  /** Another space, to which records of the first can be moved or copied. */
  otherSpace: string;
  project: string;
  workflow: string;
  version: string;
  module: string;
  snapshot: string;
  file: string;
  run: string;
  subjob: string;
  output: string;
  team: string;
  invitation: string;
  /** A worker that exists in the database only. */
  worker: string;
  /** A secret variable of the guest. Only the guest may change it. */
  secret: string;
}

const DRAFT = { nodes: { 'only-1': script('echo mine') } };
const MODULE = { name: 'mine', script: { source: 'echo mine' } };

export async function makeOneOfEach(owner: Account): Promise<OneOfEach> {
  const { client, space } = owner;
  const workflow = await makeWorkflow(owner, DRAFT);
  const { latest_version_info: version = '' } = await client.call(workflows.getWorkflow, { params: { id: workflow } });
  const project = await client.call(projects.createProject, { params: { spaceId: space }, body: { name: 'Mine' } });
  const module = await makeModule(owner);
  const snapshot = await makeSnapshot(owner, workflow);
  const file = await client.files.upload('mine/a.txt', new Blob(['mine']));
  await client.call(storage.createFolder, { body: { path: 'mine/deep' } });
  const run = await runToEnd(owner, DRAFT);
  const subjob = await findNode(client, run.id, 'only-1');
  const output = (await listOutputs(client, run.id, 'only-1'))[0];
  const guest = await invite(owner);
  const team = await client.call(teams.createTeam, { body: { name: 'Mine' } });
  await client.call(teams.addTeamMember, { params: { id: team.id, userId: guest.user } });
  const invitation = await makeInvitation(owner);
  return {
    owner,
    guest,
    space,
    otherSpace: await makeSpace(owner),
    project: project.id,
    workflow,
    version: version ?? '',
    module,
    snapshot,
    file: file.id,
    run: run.id,
    subjob: subjob.id,
    output: output?.id ?? '',
    team: team.id,
    invitation,
    worker: await insertWorker(),
    secret: await makeSecret(guest),
    ...(await makeLiveTables(owner, space, workflow)),
    ...(await makeWebhook(owner)),
  };
}

type WorldRequest = RequestOf<OneOfEach>;

const inSpace: WorldRequest = ({ space }) => ({ params: { spaceId: space } });
const ofSpace: WorldRequest = ({ space }) => ({ params: { id: space } });
const ofProject: WorldRequest = ({ project }) => ({ params: { id: project } });
const FILE = 'millrace: 1\nname: x\ndata: {}\n';
const ofWorkflow: WorldRequest = ({ workflow }) => ({ params: { id: workflow } });
const ofModule: WorldRequest = ({ module }) => ({ params: { id: module } });
const ofSnapshot: WorldRequest = ({ workflow, snapshot }) => ({ params: { id: workflow, snapshotId: snapshot } });
const ofPublished: WorldRequest = ({ snapshot }) => ({ params: { snapshotId: snapshot } });
const ofHook: WorldRequest = async ({ owner, workflow }) => {
  await owner.client.call(hooks.rotateHook, { params: { id: workflow } });
  return { params: { id: workflow } };
};
const ofRun: WorldRequest = ({ run }) => ({ params: { id: run } });
const ofWorker: WorldRequest = async ({ worker }) => ({ params: { id: worker }, as: await makeAdmin() });
const ofTwoRuns: WorldRequest = ({ run }) => ({ params: { id: run, otherId: run } });
const ofSubjob: WorldRequest = ({ run, subjob }) => ({ params: { id: run, subjobId: subjob } });
const ofOutput: WorldRequest = ({ output }) => ({ params: { id: output } });
const ofFile: WorldRequest = ({ file }) => ({ params: { id: file } });
const ofTeam: WorldRequest = ({ team }) => ({ params: { id: team } });
const ofGuest: WorldRequest = ({ guest }) => ({ params: { id: guest.user } });
const ofMember: WorldRequest = ({ team, guest }) => ({ params: { id: team, userId: guest.user } });
const guestInSpace: WorldRequest = ({ space, guest }) => ({ params: { spaceId: space, id: guest.user } });
const teamInSpace: WorldRequest = ({ space, team }) => ({ params: { spaceId: space, id: team } });
const ofSecret: WorldRequest = ({ secret, guest }) => ({ params: { id: secret }, as: guest });
/** A card number that is reserved for tests. */
const CARD = {
  card_number: '5555555555554444',
  exp_month: 12,
  exp_year: new Date().getFullYear() + 1,
  cvc: '737',
  cardholder_name: 'Mine',
};
const ofPaymentMethod: WorldRequest = async ({ owner }) => {
  const { id } = await owner.client.call(paymentMethods.addPaymentMethod, { body: CARD });
  return { params: { id } };
};
const ofNotification: WorldRequest = async ({ owner, guest }) => ({
  params: { id: await makeNotification(owner, guest) },
  as: owner,
});
const withBody =
  (requestOf: WorldRequest, body: unknown): WorldRequest =>
  async (world) => ({ ...(await requestOf(world)), body });

/** The first tick comes long after the tests have ended. The period is in minutes. */
const YEARLY = { repeat_period: 527_040 };
const uniqueName = () => `e2e ${randomUUID()}`;
const uniqueVariable = () => `E2E_${randomUUID().replaceAll('-', '_')}`;

/** By operation: a request that it accepts, so that only the role of the caller decides. */
const SAMPLE_REQUESTS: Record<string, WorldRequest> = {
  'runs.workers.list': async () => ({ as: await makeAdmin() }),
  'runs.workers.get': ofWorker,
  'runs.workers.cordon': ofWorker,
  'runs.workers.uncordon': ofWorker,
  'runs.workers.drain': ofWorker,
  'runs.fleets.delete': async () => ({ params: { name: await insertFleet() }, as: await makeAdmin() }),
  'auth.sessions.logout': ({ guest }) => ({ body: { refresh: guest.refresh } }),
  'auth.sessions.end': async ({ owner }) => {
    const as = await invite(owner);
    const { results } = await as.client.call(sessions.listSessions);
    return { params: { id: results[0]?.id ?? '' }, as };
  },
  'auth.users.updateMe': () => ({ body: { name: 'Renamed' } }),
  'auth.devices.describe': () => ({ query: { user_code: 'BCDF-GHJK' } }),
  'auth.devices.approve': () => ({ body: { user_code: 'BCDF-GHJK' } }),
  'auth.mfa.confirm': () => ({ body: { code: '000000' } }),
  'auth.passwords.change': () => ({ body: { current_password: 'not it', password: `new one ${randomUUID()}` } }),
  'auth.roles.space': inSpace,
  'auth.roles.listSpace': inSpace,
  'auth.roles.setTeamSpace': withBody(teamInSpace, { role: 'read' }),
  'auth.roles.unsetTeamSpace': teamInSpace,
  'auth.roles.setUserSpace': withBody(guestInSpace, { role: 'read' }),
  'auth.roles.unsetUserSpace': guestInSpace,
  'auth.roles.setTeamVault': withBody(ofTeam, { role: 'member' }),
  'auth.roles.unsetTeamVault': ofTeam,
  'auth.roles.setUserVault': withBody(ofGuest, { role: 'member' }),
  'auth.roles.unsetUserVault': ofGuest,
  'auth.retention.setVault': () => ({ body: { days: null, runs: null } }),
  'auth.retention.getSpace': ofSpace,
  'auth.retention.setSpace': withBody(ofSpace, { days: null, runs: null }),
  'auth.retention.unsetSpace': ofSpace,
  'auth.teams.create': () => ({ body: { name: uniqueName() } }),
  'auth.teams.get': ofTeam,
  'auth.teams.update': withBody(ofTeam, { description: 'Changed' }),
  'auth.teams.delete': async ({ owner }) => {
    const { id } = await owner.client.call(teams.createTeam, { body: { name: uniqueName() } });
    return { params: { id } };
  },
  'auth.teams.addMember': ofMember,
  'auth.teams.removeMember': async ({ owner, team, guest }) => {
    await owner.client.call(teams.addTeamMember, { params: { id: team, userId: guest.user } });
    return { params: { id: team, userId: guest.user } };
  },
  'auth.members.leave': async ({ owner }) => ({ as: await invite(owner) }),
  'auth.members.update': withBody(ofGuest, {}),
  'auth.members.remove': async ({ owner }) => ({ params: { id: (await invite(owner)).user } }),
  'auth.invitations.create': () => ({ body: { email: `${randomUUID()}@example.org` } }),
  'auth.invitations.revoke': ({ invitation }) => ({ params: { id: invitation } }),
  'billing.paymentMethods.add': () => ({ body: CARD }),
  'billing.paymentMethods.setDefault': ofPaymentMethod,
  'billing.paymentMethods.delete': ofPaymentMethod,
  'notifications.notifications.update': withBody(ofNotification, { seen: true }),
  'notifications.notifications.delete': ofNotification,
  'notifications.config.update': () => ({ body: { config: '{}' } }),
  'notifications.follows.get': ofWorkflow,
  'notifications.follows.set': ofWorkflow,
  'notifications.follows.unset': ofWorkflow,
  'workflows.spaces.create': () => ({ body: { name: uniqueName() } }),
  'workflows.spaces.get': ofSpace,
  'workflows.spaces.update': withBody(ofSpace, { description: 'Changed' }),
  'workflows.spaces.delete': ofSpace,
  'workflows.projects.create': withBody(inSpace, { name: 'x' }),
  'workflows.projects.list': inSpace,
  'workflows.projects.get': ofProject,
  'workflows.projects.update': withBody(ofProject, { description: 'Changed' }),
  'workflows.projects.delete': async ({ owner, space }) => {
    const { id } = await owner.client.call(projects.createProject, { params: { spaceId: space }, body: { name: 'x' } });
    return { params: { id } };
  },
  'workflows.workflows.create': withBody(inSpace, { name: 'x' }),
  'workflows.workflows.listInSpace': inSpace,
  'workflows.workflows.get': ofWorkflow,
  'workflows.workflows.status': ofWorkflow,
  'workflows.workflows.update': withBody(ofWorkflow, { description: 'Changed' }),
  'workflows.workflows.delete': async ({ owner, space }) => {
    const params = { spaceId: space };
    const { id } = await owner.client.call(workflows.createWorkflow, { params, body: { name: 'x' } });
    return { params: { id } };
  },
  'workflows.workflows.validate': ofWorkflow,
  'workflows.workflows.copy': ({ workflow, otherSpace }) => ({ params: { id: workflow }, body: { space: otherSpace } }),
  'workflows.workflows.move': ({ workflow, space }) => ({ params: { id: workflow }, body: { space } }),
  'workflows.workflows.export': ofWorkflow,
  'workflows.workflows.import': ({ space }) => ({ query: { space }, body: { millrace: 1, name: 'x', data: {} } }),
  'workflows.models.set': withBody(ofWorkflow, { modelId: 'claude-opus-4-5' }),
  'workflows.snapshots.list': ofWorkflow,
  'workflows.snapshots.create': ({ workflow, version }) => ({
    params: { id: workflow },
    body: { workflow_version_info: version },
  }),
  'workflows.snapshots.get': ofSnapshot,
  'workflows.snapshots.update': withBody(ofSnapshot, { description: 'Changed' }),
  'workflows.snapshots.delete': async ({ owner, workflow }) => ({
    params: { id: workflow, snapshotId: await makeSnapshot(owner, workflow) },
  }),
  'workflows.snapshots.restore': ofSnapshot,
  'workflows.snapshots.getPublished': ofPublished,
  'workflows.snapshots.copy': async (world) => ({ ...(await ofPublished(world)), body: { space: world.space } }),
  'workflows.versions.list': ofWorkflow,
  'workflows.versions.get': ({ workflow, version }) => ({ params: { id: workflow, versionId: version } }),
  'workflows.versions.restore': ({ workflow, version }) => ({ params: { id: workflow, versionId: version } }),
  'workflows.versions.diff': ({ workflow, version }) => ({ params: { id: workflow, a: version, b: 'latest' } }),
  'workflows.versions.validateFile': ({ workflow }) => ({ body: { workflow, yaml: FILE } }),
  'workflows.versions.saveFile': withBody(ofWorkflow, { yaml: FILE }),
  'workflows.versions.save': withBody(ofWorkflow, { data: { nodes: {} } }),
  'workflows.modules.create': () => ({ body: MODULE }),
  'workflows.modules.get': ofModule,
  'workflows.modules.update': async (world) => ({ ...(await ownModule(world)), body: { description: 'Changed' } }),
  'workflows.modules.delete': async (world) => ownModule(world),
  'workflows.modules.listVersions': ofModule,
  'workflows.modules.createVersion': async (world) => ({
    ...(await ownModule(world)),
    body: { script: { source: 'echo again' } },
  }),
  'workflows.modules.listUses': ofModule,
  'workflows.schedules.set': withBody(ofWorkflow, YEARLY),
  'workflows.schedules.delete': async ({ owner, workflow }) => {
    const params = { id: workflow };
    await owner.client.call(schedules.setSchedule, { params, body: YEARLY });
    return { params };
  },
  'workflows.schedules.listTicks': ofWorkflow,
  'workflows.hooks.get': ofHook,
  'workflows.hooks.rotate': ofWorkflow,
  'workflows.hooks.update': withBody(ofHook, { payload_as: null }),
  'workflows.hooks.delete': ofHook,
  'workflows.hooks.fire': async ({ owner, workflow }) => {
    const { token } = await owner.client.call(hooks.rotateHook, { params: { id: workflow } });
    return { params: { token } };
  },
  'workflows.folders.create': () => ({ body: { path: uniqueName() } }),
  'workflows.folders.delete': async ({ owner }) => {
    const path = uniqueName();
    await owner.client.call(storage.createFolder, { body: { path } });
    return { query: { path } };
  },
  'workflows.files.get': ofFile,
  'workflows.files.download': ofFile,
  'workflows.files.delete': async ({ owner }) => {
    const { id } = await owner.client.files.upload(`${uniqueName()}.txt`, new Blob(['gone']));
    return { params: { id } };
  },
  'workflows.secrets.create': () => ({ body: { name: uniqueVariable(), value: 'a value', scope_type: 'user' } }),
  'workflows.secrets.update': withBody(ofSecret, { value: 'another value' }),
  'workflows.secrets.delete': async ({ guest }) => ({ params: { id: await makeSecret(guest) }, as: guest }),
  'runs.runs.create': withBody(ofWorkflow, {}),
  'runs.runs.plan': withBody(ofWorkflow, {}),
  'runs.runs.listOfWorkflow': ofWorkflow,
  'runs.runs.get': ofRun,
  'runs.runs.events': ofRun,
  'runs.runs.stop': ofRun,
  'runs.runs.update': withBody(ofRun, { name: 'renamed' }),
  'runs.parameters.set': async ({ owner }) => {
    const inputs = { level: { type: 'STRING', order: 1, value: '1' } };
    const { id } = await runToEnd(owner, { nodes: { 'a-1': script('echo "$1"', { inputs }) } });
    return { params: { id }, body: { nodes: { 'a-1': { level: '2' } } } };
  },
  'runs.runs.pause': ofRun,
  'runs.runs.resume': ofRun,
  'runs.runs.retry': ofRun,
  'runs.runs.delete': async ({ owner }) => ({ params: { id: (await runToEnd(owner, DRAFT)).id } }),
  'runs.subjobs.list': ofRun,
  'runs.subjobs.get': ofSubjob,
  'runs.subjobs.children': ofSubjob,
  'runs.subjobs.statuses': ofSubjob,
  'runs.subjobs.distribution': ofSubjob,
  'runs.subjobs.logs': ofSubjob,
  'runs.subjobs.logTimes': ofSubjob,
  'runs.subjobs.stop': ofSubjob,
  'runs.subjobs.retry': ofSubjob,
  'runs.subjobs.skip': ofSubjob,
  'runs.approvals.approve': ofSubjob,
  'runs.approvals.reject': ofSubjob,
  'runs.compare.get': ofTwoRuns,
  'runs.compare.nodes': ofTwoRuns,
  'runs.compare.outputs': ofTwoRuns,
  'runs.cache.explain': ofSubjob,
  'runs.cache.clearWorkflow': ofWorkflow,
  'runs.cache.clearSpace': ofSpace,
  'runs.failures.list': ofRun,
  'runs.failures.subjobs': ({ run }) => ({ params: { id: run, group: '0-0123456789abcdef' } }),
  'runs.outputs.listOfRun': ofRun,
  'runs.outputs.listOfSubjob': ofSubjob,
  'runs.outputs.archive': ofRun,
  'runs.outputs.download': ofOutput,
  'runs.outputs.sign': ofOutput,
  'runs.sandboxes.start': async ({ owner }) => ({ body: { vaultId: await vaultOf(owner), agentSessionId: 'mine' } }),
  'runs.sandboxes.status': async ({ owner }) => ({ query: { vaultId: await vaultOf(owner) } }),
  'billing.plans.choose': () => ({ body: { plan: 'enterprise' } }),
  'billing.budget.set': () => ({ body: { cloud_usage_limit: null } }),
  ...ADMIN_REQUESTS,
  ...LIVE_TABLE_REQUESTS,
  ...LOAD_REQUESTS,
  ...WEBHOOK_REQUESTS,
};

/** The author of a module may change it, regardless of their role. */
const ownModule = async ({ owner }: OneOfEach): Promise<SampleRequest> => {
  const as = await invite(owner);
  return { params: { id: await makeModule(as) }, as };
};

/** A request that the operation accepts from a caller with the required role. @throws if this file has none for it */
export function sampleRequestOf(operation: AnyOperation): WorldRequest {
  const request = SAMPLE_REQUESTS[operation.name];
  if (!request && operation.path.includes('{')) {
    throw new Error(`Add a sample request for ${operation.name} to e2e/support/one-of-each.ts`);
  }
  return request ?? (() => ({}));
}

export async function makeInvitation({ client }: Account): Promise<string> {
  const body = { email: `${randomUUID()}@example.org` };
  return (await client.call(invitations.createInvitation, { body })).id;
}

export async function makeSecret({ client }: Account): Promise<string> {
  const body = { name: uniqueVariable(), value: 'a value', scope_type: 'user' } as const;
  return (await client.call(secrets.createSecretVariable, { body })).id;
}
const makeModule = async ({ client }: Account): Promise<string> =>
  (await client.call(library.createModule, { body: MODULE })).id;

/** A notification to `reader`, because another user of the vault has created a module. */
async function makeNotification(reader: Account, other: Account): Promise<string> {
  const module = await makeModule(other);
  return eventually(async () => {
    const { results } = await reader.client.call(notifications.listNotifications, { query: { page_size: 10 } });
    const found = results.find(({ metadata }) => metadata['module'] === module);
    if (!found) throw new Error('No notification of a new module has arrived');
    return found.id;
  });
}

/** A new space, which the test may delete. */
export async function makeSpace({ client }: Account): Promise<string> {
  return (await client.call(spaces.createSpace, { body: { name: uniqueName() } })).id;
}

/** A snapshot of a workflow's first version, with a name of its own: the same name again would give the same snapshot. */
async function makeSnapshot({ client }: Account, workflow: string): Promise<string> {
  const { results } = await client.call(versions.listVersions, {
    params: { id: workflow },
    query: { ordering: 'number' },
  });
  const body = { workflow_version_info: results[0]?.id ?? '', name: uniqueName() };
  return (await client.call(snapshots.createSnapshot, { params: { id: workflow }, body })).id;
}
