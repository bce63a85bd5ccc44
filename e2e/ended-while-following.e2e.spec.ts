import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MillraceClient } from '@millrace/client';
import { members, roles, runs, users } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { checkedFetch } from './support/checked-fetch.js';
import { invite } from './support/invite.js';
import { makeWorkflow, script, waitForStart } from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';

/** How long the contract allows a revoked credential or role to remain effective. */
const ALLOWED_MS = 1_000;

/** Writes a log line every 0.1 s, for longer than the tests take. */
const LOGGING = { nodes: { 'log-1': script('for i in $(seq 1200); do echo "line $i"; sleep 0.1; done') } };

/** Its children start and end continuously, one after another. */
const DISTRIBUTED = {
  nodes: {
    'source-1': script('seq 1000'),
    'child-1': script('sleep 0.1', {
      inputs: { number: { type: 'STRING', order: 1 } },
      distribution: { input: 'number', mode: 'line' },
    }),
  },
  edges: [['source-1/file', 'child-1/number']] as [string, string][],
};

let owner: Account;
/** Ids of the two runs, and of the subjob that writes the log. */
let loggingRun: string;
let distributedRun: string;
let loggingSubjob: string;
beforeAll(async () => {
  owner = await signUp();
  [loggingRun, distributedRun] = [await start(LOGGING), await start(DISTRIBUTED)];
  [loggingSubjob] = await Promise.all([
    waitForStart(owner.client, loggingRun, 'log-1'),
    waitForStart(owner.client, distributedRun, 'child-1'),
  ]);
});
afterAll(() =>
  Promise.all([loggingRun, distributedRun].map((id) => owner.client.call(runs.stopRun, { params: { id } }))),
);

async function start(draft: Parameters<typeof makeWorkflow>[1]): Promise<string> {
  const id = await makeWorkflow(owner, draft);
  return (await owner.client.call(runs.createRun, { params: { id }, body: { parallelism: 1 } })).id;
}

interface Followed {
  arrivals: number[];
  /** Resolves with the error of the stream. */
  failure: Promise<unknown>;
}

function follow(stream: AsyncIterable<unknown>): Followed {
  const arrivals: number[] = [];
  const read = async () => {
    for await (const _part of stream) arrivals.push(performance.now());
  };
  return {
    arrivals,
    failure: read()
      .then(() => 'the stream ended without an error')
      .catch((error: unknown) => error),
  };
}

/** Follows both streams, and waits until each has delivered several parts. */
async function followBoth(client: MillraceClient, signal?: AbortSignal): Promise<Followed[]> {
  const options = signal === undefined ? {} : { signal };
  const streams = [
    follow(client.runs.events(distributedRun, options)),
    follow(client.subjobs.logs(loggingRun, loggingSubjob, options)),
  ];
  await eventually(() => {
    for (const { arrivals } of streams) expect(arrivals.length).toBeGreaterThan(3);
  });
  return streams;
}

/** Revokes the permission while both streams are open. They must end with the error `code`. */
async function expectEndOfStreams(client: MillraceClient, revoke: () => Promise<unknown>, code: string): Promise<void> {
  const streams = await followBoth(client);
  await revoke();
  for (const { failure } of streams) expect(await failure).toMatchObject({ code });
}

async function inviteReader(): Promise<Account> {
  const guest = await invite(owner);
  await setRole(guest, 'read');
  return guest;
}

const roleOf = ({ user }: Account) => ({ spaceId: owner.space, id: user });
const setRole = (guest: Account, role: 'read' | 'execute' | 'insights') =>
  owner.client.call(roles.setUserSpaceRole, { params: roleOf(guest), body: { role } });

describe('a client that follows a run and a log', () => {
  it('receives nothing after their role in the space is removed', async () => {
    const guest = await inviteReader();
    const removeRole = () => owner.client.call(roles.unsetUserSpaceRole, { params: roleOf(guest) });
    await expectEndOfStreams(guest.client, removeRole, 'not_found');
  });

  it('receives nothing after their role becomes too low', async () => {
    const guest = await inviteReader();
    await expectEndOfStreams(guest.client, () => setRole(guest, 'insights'), 'forbidden');
  });

  it('receives nothing after their account is removed', async () => {
    const guest = await inviteReader();
    const remove = () => owner.client.call(members.removeMember, { params: { id: guest.user } });
    await expectEndOfStreams(guest.client, remove, 'unauthenticated');
  });

  it('receives nothing with an API token that was replaced', async () => {
    const guest = await inviteReader();
    const { token } = await guest.client.call(users.regenerateToken);
    const client = new MillraceClient({ baseUrl: guest.url, token, fetch: checkedFetch });
    await expectEndOfStreams(client, () => guest.client.call(users.regenerateToken), 'unauthenticated');
  });

  it('continues if their new role is high enough', async () => {
    const guest = await inviteReader();
    const stop = new AbortController();
    const streams = await followBoth(guest.client, stop.signal);
    await setRole(guest, 'execute');
    const changedAt = performance.now() + ALLOWED_MS;
    await eventually(() => {
      for (const { arrivals } of streams) expect(arrivals.at(-1)).toBeGreaterThan(changedAt);
    });
    stop.abort();
    await Promise.all(streams.map(({ failure }) => failure));
  });
});
