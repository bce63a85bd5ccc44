import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findProcesses } from '@millrace/isolation/testing/find-processes';
import { eventually } from '@millrace/testkit/eventually';
import { chooseCases } from './support/choose-cases.js';
import { requestExec, eventsOf, execute, openSandbox, statusOf, waitUntilRunning } from './support/open-sandbox.js';
import { startOwnSystem, type OwnSystem } from './support/own-system.js';
import { signUp, type Account } from './support/sign-up.js';

const PROCESSES = chooseCases(['gateway', 'auth', 'workflows', 'runs', 'worker', 'postgres', 'redis', 'nats'], 4);
/** Idle time after which a session stops. */
const IDLE_MINUTES = 0.1;

let system: OwnSystem;
let account: Account;
beforeAll(async () => {
  system = await startOwnSystem();
  account = await signUp(system.url);
  // The worker registers for sandboxes within 2 s. A request before that is rejected and must be retried.
  const first = { agentSessionId: 'first' };
  await openSandbox(account, first);
  await waitUntilRunning(account, first);
});
afterAll(() => system.stop());

describe.each(PROCESSES)('if %s is killed during a command,', (name) => {
  it('the session continues, with the workspace of before or after the command', async () => {
    const place = { agentSessionId: `outlives ${name}` };
    const session = await openSandbox(account, place);
    expect(await execute(account, session, 'echo 0 > count; echo kept > kept')).toMatchObject({ saved: true });
    const before = await statusOf(account, place);
    expect(before.status).toBe('running');
    const command = 'rm kept; echo 1 > count; echo up; sleep 3; echo kept > kept';
    const events = eventsOf(await requestExec(account, { sessionId: session, command }));
    expect((await events.next()).value).toMatchObject({ data: { text: 'up\n' } });
    process.kill(system.pidOf(name), 'SIGKILL');
    const rest = drain(events);
    await eventually(async () => {
      const { lastActiveAt, expiresAt, ...status } = await statusOf(account, place);
      expect({ ...before, ...status }).toEqual(before);
      expect(Date.parse(expiresAt ?? '')).toBeGreaterThan(Date.parse(lastActiveAt ?? ''));
    });
    await rest;
    const seen = await eventually(() => execute(account, session, 'cat kept count'));
    expect(seen).toMatchObject({ code: 0, saved: true, stdout: expect.stringMatching(/^kept\n[01]\n$/) });
    expect(await openSandbox(account, place)).toBe(session);
  });
});

it('a command whose gateway is killed ends, and its session accepts commands again', async () => {
  const session = await openSandbox(account, { agentSessionId: 'left alone' });
  const seconds = `300.${Date.now()}`;
  const command = `echo up; sleep ${seconds}`;
  const events = eventsOf(await requestExec(account, { sessionId: session, command, timeout_seconds: 600 }));
  await events.next();
  expect(findProcesses(seconds)).not.toEqual([]);
  process.kill(system.pidOf('gateway'), 'SIGKILL');
  await drain(events);
  await eventually(() => expect(findProcesses(seconds)).toEqual([]));
  await eventually(() => execute(account, session, 'echo next'));
});

it('an idle session is stopped, but a session that runs a command is not', async () => {
  const quick = await startOwnSystem({ SANDBOX_IDLE_MINUTES: String(IDLE_MINUTES) }, { separate: [] });
  try {
    const who = await signUp(quick.url);
    const [idle, busy] = [{ agentSessionId: 'idle' }, { agentSessionId: 'busy' }];
    const session = await openSandbox(who, busy);
    await waitUntilRunning(who, busy);
    const running = execute(who, session, `sleep ${IDLE_MINUTES * 60 * 2}; echo done`);
    await openSandbox(who, idle);
    const stopped = { status: 'stopped', reason: 'There was no activity in the sandbox' };
    await eventually(async () => expect(await statusOf(who, idle)).toMatchObject(stopped));
    expect(await running).toMatchObject({ code: 0, saved: true, stdout: 'done\n' });
    expect(await statusOf(who, busy)).toMatchObject({ status: 'running', sessionId: session });
    await eventually(async () => expect(await statusOf(who, busy)).toMatchObject(stopped));
  } finally {
    await quick.stop();
  }
});

it('a sandbox session is rejected if the workers cannot isolate it', async () => {
  const open = await startOwnSystem({ WORKER_ISOLATION: 'off' }, { separate: [] });
  try {
    const who = await signUp(open.url);
    const start = () => openSandbox(who, { agentSessionId: 'x' });
    await eventually(() => expect(start()).rejects.toMatchObject({ code: 'forbidden' }));
    const current = await statusOf(who);
    expect(['none', 'starting']).toContain(current.status);
  } finally {
    await open.stop();
  }
});

/** Reads until the stream ends or fails. */
async function drain(events: AsyncGenerator<unknown>): Promise<void> {
  try {
    for await (const _event of events);
  } catch {
    // The gateway that sent the stream was killed.
  }
}
