import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { notifications, runs } from '@millrace/contracts/resources';
import { startMailServer, type MailServer } from '@millrace/notifications/testing/mail-server';
import { eventually } from '@millrace/testkit/eventually';
import { chooseCases } from './support/choose-cases.js';
import { followNotifications } from './support/follow-notifications.js';
import { startOwnSystem, type OwnSystem } from './support/own-system.js';
import { makeWorkflow, script } from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';

/** The processes that a notification passes through, from the end of the run to the stream and the mail. */
const VICTIMS = chooseCases(
  ['notifications', 'gateway', 'nats', 'redis', 'notifications', 'postgres', 'auth', 'runs'],
  4,
);

let system: OwnSystem;
let mails: MailServer;
let account: Account;
let workflow: string;
/** Called before the mail server accepts a recipient. */
let beforeAccept: (to: string) => Promise<void> = () => Promise.resolve();

beforeAll(async () => {
  mails = await startMailServer([], {
    onRcptTo: ({ address }, _session, done) => void beforeAccept(address).then(() => done()),
  });
  system = await startOwnSystem({ SMTP_URL: mails.url }, { separate: ['notifications', 'gateway', 'auth', 'runs'] });
  account = await signUp(system.url);
  workflow = await makeWorkflow(account, { nodes: { 'only-1': script('exit 3') } });
});

afterAll(async () => {
  await system.stop();
  await mails.close();
});

const startRun = async () => (await account.client.call(runs.createRun, { params: { id: workflow }, body: {} })).id;
const untilReady = () => eventually(async () => expect(await system.isReady()).toBe(true));
const listNotifiedRuns = async () => {
  const { results } = await account.client.call(notifications.listNotifications, { query: { page_size: 1000 } });
  return results.map(({ metadata }) => String(metadata['run'])).sort();
};

/** The Message-IDs of the accepted mails, by run. */
function messageIdsByRun(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { mail } of mails.accepted) {
    const [, run = ''] = /\/runs\/(\d+)/.exec(mail.text ?? '') ?? [];
    found.set(run, (found.get(run) ?? new Set()).add(mail.messageId ?? ''));
  }
  return found;
}

it('a mail is sent once if the service is killed between storing the notification and sending the mail', async () => {
  const recipients: string[] = [];
  let release = () => undefined as void;
  const released = new Promise<void>((resolve) => (release = resolve));
  beforeAccept = (to) => {
    recipients.push(to);
    return released;
  };
  const run = await startRun();
  await eventually(() => expect(recipients).toHaveLength(1));
  expect(await listNotifiedRuns()).toEqual([run]);
  process.kill(system.pidOf('notifications'), 'SIGKILL');
  beforeAccept = () => Promise.resolve();
  release();
  await eventually(() => expect(mails.accepted).toHaveLength(1), { withinMs: 90_000 });
  const next = await startRun();
  await eventually(() => expect(mails.accepted).toHaveLength(2));
  expect([...messageIdsByRun().keys()].sort()).toEqual([run, next].sort());
});

it('every run has one notification, streamed once and in order, and one mail, even if processes are killed', async () => {
  const before = await listNotifiedRuns();
  const stream = followNotifications(account, before.length);
  const started: string[] = [];
  for (const victim of VICTIMS) {
    for (let run = 0; run < 5; run++) started.push(await eventually(startRun));
    await sleep(Math.random() * 400);
    process.kill(system.pidOf(victim), 'SIGKILL');
    await untilReady();
  }
  const all = [...before, ...started].sort();
  await eventually(async () => expect(await listNotifiedRuns()).toEqual(all));
  await eventually(() => expect(stream.numbers).toHaveLength(started.length));
  expect(stream.numbers).toEqual(started.map((_, index) => before.length + index + 1));
  await eventually(() => expect([...messageIdsByRun().keys()].sort()).toEqual(all), { withinMs: 150_000 });
  // A service that is killed between the mail server's response and the commit sends the same message again, with the same id.
  for (const ids of messageIdsByRun().values()) expect(ids.size).toBe(1);
  await stream.stop();
}, 400_000);
