import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Request } from '@millrace/contracts/kit/operation';
import { getSandbox, startSandbox, stopSandbox } from '@millrace/contracts/runs/sandbox';
import {
  openSandbox,
  assignExec,
  sandboxReleases,
  claimExec,
  abandonExec,
} from '@millrace/contracts/runs/sandbox-hosts';
import { locateWorkflow, workflowDeleted } from '@millrace/contracts/workflows/workflows';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import type { SystemWithStore } from '@millrace/testkit/start-with-store';
import { aFile, startSandboxes, WORKERS, type FakeSandboxes } from './testing/start-sandboxes.js';
import { WorkspaceExpiry } from './workspace/workspace-expiry.js';

const RESTRICTED = { code: 'forbidden', details: { restriction: { reason: 'budget' } } };
const FULL = { code: 'rate_limited', details: { retry_after: 1 } };

let system: SystemWithStore;
let sandboxes: FakeSandboxes;
let caller: Caller;
/** Spaces of workflows. */
const workflows = new Map<string, string>();
/** Workflows that are deleted after the next lookup. */
const deleting = new Set<string>();
beforeAll(async () => {
  ({ system, sandboxes } = await startSandboxes());
  const service = await system.fake('workflows');
  service.on(locateWorkflow, ({ body }) => {
    const { workflow } = locateWorkflow.body.parse(body);
    const space = workflows.get(workflow);
    if (space === undefined) throw new NotFoundError('Workflow');
    if (deleting.has(workflow)) workflows.delete(workflow);
    return { id: workflow, space };
  });
});
beforeEach(async () => {
  caller = ownerCaller();
  for (const worker of WORKERS) await sandboxes.sendHeartbeat(worker);
});
afterAll(() => system.close());

const exec = (session: string, who = caller) => sandboxes.exec(who, session);
const put = (session: string, path: string) => sandboxes.put(caller, session, path);
const pathsOf = (session: string) => sandboxes.pathsOf(caller, session);
/** Restricts the caller's vault, as billing does. */
const restrict = (stopRunning: boolean) =>
  system.database.query(
    `INSERT INTO runs.vault_restriction (vault_id, number, reason, stop_running) VALUES ($1, 1, 'budget', $2)`,
    [caller.vault, stopRunning],
  );
const statusOf = (who = caller) => system.callAs(who, getSandbox, { query: { vaultId: who.vault } });
const statusAt = (place: Partial<Request<typeof getSandbox>['query']>) =>
  system.callAs(caller, getSandbox, { query: { vaultId: caller.vault, ...place } });
const expireLease = (session: string) =>
  system.database.query(`UPDATE runs.sandbox_session SET exec_seen_at = now() - interval '9 s' WHERE id = $1`, [
    session,
  ]);

describe('starting a sandbox', () => {
  it('creates one session per user and scope, even if several copies of the service handle it at once', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => sandboxes.open(caller, 'the same')));
    expect(new Set(ids).size).toBe(1);
    const other = memberCaller(caller, {});
    expect(ids).not.toContain(await sandboxes.open(other, 'the same'));
    await eventually(async () => expect(await statusOf()).toMatchObject({ status: 'running', sessionId: ids[0] }));
  });

  it('is refused if workers are connected but none can isolate sandboxes', async () => {
    for (const worker of WORKERS) await sandboxes.sendHeartbeat(worker, { slots: 0 });
    await expect(sandboxes.open(caller)).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('fails if no worker opens the sandbox for a minute, and can be repeated', async () => {
    for (const worker of WORKERS) await sandboxes.sendHeartbeat(worker, { slots: 0 });
    await sandboxes.sendHeartbeat('w-broken');
    sandboxes.worker.broker.handleOnInstance(openSandbox, 'w-broken', () =>
      Promise.reject(new Error('bubblewrap is gone')),
    );
    const session = await sandboxes.open(caller, 'unlucky');
    expect((await statusOf()).status).toBe('starting');
    const makeOlderSql = `UPDATE runs.sandbox_session SET started_at = now() - interval '61 s' WHERE id = $1`;
    await system.database.query(makeOlderSql, [session]);
    await eventually(async () => expect(await statusOf()).toMatchObject({ status: 'failed' }));
    expect((await statusOf()).reason).toContain('could not be started');
    await sandboxes.sendHeartbeat('w-broken', { slots: 0 });
    await sandboxes.sendHeartbeat('w-1');
    expect(await sandboxes.open(caller, 'unlucky')).not.toBe(session);
    await eventually(async () => expect((await statusOf()).status).toBe('running'));
  });

  it('is refused if the user has 20 open sessions', async () => {
    const all = Array.from({ length: 21 }, (_, index) =>
      sandboxes.open(caller, `${index}`).catch(({ code }: { code: string }) => code),
    );
    const results = await Promise.all(all);
    expect(results.filter((result) => result === 'rate_limited')).toHaveLength(1);
    await expect(sandboxes.open(memberCaller(caller, {}))).resolves.toEqual(expect.any(String));
  });

  it('is refused in a restricted vault, as is each command; open sessions and their files stay', async () => {
    const session = await sandboxes.open(caller, 'before');
    await put(session, 'a');
    await restrict(false);
    await expect(sandboxes.open(caller, 'after')).rejects.toMatchObject(RESTRICTED);
    await expect(exec(session)).rejects.toMatchObject(RESTRICTED);
    expect(await sandboxes.open(caller, 'before')).toBe(session);
    expect(await pathsOf(session)).toEqual(['a']);
  });

  it('creates no session for a workflow that is deleted in the meantime', async () => {
    const workflow = newId();
    workflows.set(workflow, newId());
    deleting.add(workflow);
    const body = { vaultId: caller.vault, workflowId: workflow };
    await expect(system.callAs(caller, startSandbox, { body })).rejects.toMatchObject({ code: 'not_found' });
    expect((await statusAt({ workflowId: workflow })).status).toBe('none');
  });

  it('gives the same response for the same Idempotency-Key', async () => {
    const openAgain = () =>
      system.callAs(
        caller,
        startSandbox,
        { body: { vaultId: caller.vault, agentSessionId: 'key' } },
        { idempotencyKey: 'k' },
      );
    const first = await openAgain();
    await system.callAs(caller, stopSandbox, { query: { sessionId: first.sessionId } });
    expect(await openAgain()).toEqual(first);
  });
});

describe('a session', () => {
  it('is leased to one command at a time, until that command is finished', async () => {
    const session = await sandboxes.open(caller);
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => exec(session)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of results) if (one.status === 'rejected') expect(one.reason).toMatchObject(FULL);
    await sandboxes.sendHeartbeat('w-1');
    await expireLease(session);
    const command = await sandboxes.startCommand(caller, session);
    await expect(exec(session)).rejects.toMatchObject(FULL);
    await sandboxes.finishCommand(command, [aFile('a')]);
    await sandboxes.startCommand(caller, session);
  });

  it('continues on another worker if its worker is silent, and ignores later reports of the first one', async () => {
    const session = await sandboxes.open(caller);
    const first = await sandboxes.startCommand(caller, session);
    await expireLease(session);
    const second = await sandboxes.startCommand(caller, session);
    expect(await sandboxes.finishCommand(first, [aFile('late')])).toMatchObject({ saved: false });
    expect(await sandboxes.finishCommand(second, [aFile('kept')])).toMatchObject({ saved: true });
    expect(await pathsOf(session)).toEqual(['kept']);
  });

  it('stays leased as long as its worker reports that the command runs', async () => {
    const session = await sandboxes.open(caller);
    const { exec: id, worker } = await sandboxes.startCommand(caller, session);
    await expireLease(session);
    await sandboxes.sendHeartbeat(worker, { sessions: [session], execs: [id] });
    await eventually(() => expect(exec(session)).rejects.toMatchObject(FULL));
    const soon = `UPDATE runs.sandbox_session SET expires_at = now() + interval '1 s' WHERE id = $1`;
    await system.database.query(soon, [session]);
    await sandboxes.sendHeartbeat(worker, { sessions: [session], execs: [id] });
    await eventually(async () => {
      const { lastActiveAt = '', expiresAt = '', status } = await statusOf();
      expect([status, Date.parse(expiresAt) - Date.parse(lastActiveAt)]).toEqual(['running', 30 * 60_000]);
    });
  });

  it('is stopped at its maximum time, even while a command runs', async () => {
    const session = await sandboxes.open(caller);
    const command = await sandboxes.startCommand(caller, session);
    const expireSql = `UPDATE runs.sandbox_session SET ends_at = now(), expires_at = now() WHERE id = $1`;
    await system.database.query(expireSql, [session]);
    await eventually(async () =>
      expect(await statusOf()).toMatchObject({ status: 'stopped', reason: 'The session reached its maximum time' }),
    );
    expect(await sandboxes.finishCommand(command, [aFile('late')])).toMatchObject({ saved: false });
  });

  it('is stopped if the restriction of the vault stops running work, even while a command runs', async () => {
    const session = await sandboxes.open(caller, 'running');
    const command = await sandboxes.startCommand(caller, session);
    await restrict(true);
    await eventually(async () =>
      expect(await statusOf()).toMatchObject({ status: 'stopped', reason: expect.stringContaining('usage limit') }),
    );
    expect(await sandboxes.finishCommand(command, [aFile('late')])).toMatchObject({ saved: false });
    await expect(exec(session)).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('is free immediately if no worker starts the command', async () => {
    const session = await sandboxes.open(caller);
    await sandboxes.gateway.call(abandonExec, await exec(session));
    const order = await exec(session);
    expect((await sandboxes.gateway.call(assignExec, { ...order, unlike: WORKERS })).worker).toBeNull();
  });

  it('moves its command to another worker only before a worker has started it', async () => {
    const session = await sandboxes.open(caller);
    const order = await exec(session);
    const assign = async (unlike: string[]) =>
      (await sandboxes.gateway.call(assignExec, { ...order, unlike })).worker ?? '';
    const first = await assign([]);
    const second = await assign([first]);
    expect([first, second].sort()).toEqual(WORKERS);
    const claim = (worker: string) => sandboxes.worker.call(claimExec, { ...order, worker, revision: null });
    expect((await claim(first)).taken).toBe(false);
    expect((await claim(second)).taken).toBe(true);
    expect(await assign([second])).toBe(second);
  });

  it('is released by its worker when it is stopped: requests repeat until then, and later changes are refused', async () => {
    const session = await sandboxes.open(caller);
    const command = await sandboxes.startCommand(caller, session);
    const released: string[] = [];
    sandboxes.worker.broker.subscribe(sandboxReleases, ({ sessions }) => void released.push(...sessions));
    await sandboxes.worker.broker.connection.flush();
    await system.callAs(caller, stopSandbox, { query: { sessionId: session } });
    await eventually(() => expect(released).toContain(session));
    released.length = 0;
    await sandboxes.sendHeartbeat(command.worker, { sessions: [session], execs: [command.exec] });
    await eventually(() => expect(released).toContain(session));
    expect(await sandboxes.finishCommand(command, [aFile('late')])).toMatchObject({ saved: false });
    expect(await pathsOf(session)).toEqual([]);
    await expect(exec(session)).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('refuses commands with the reason once no worker can isolate sandboxes', async () => {
    const session = await sandboxes.open(caller);
    for (const worker of WORKERS) await sandboxes.sendHeartbeat(worker, { slots: 0 });
    await expect(exec(session)).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('gives the commands of one user at most half of all slots', async () => {
    for (const worker of WORKERS) await sandboxes.sendHeartbeat(worker, { slots: 2 });
    const sessions = [
      await sandboxes.open(caller),
      await sandboxes.open(caller),
      await sandboxes.open(caller),
    ] as const;
    const results = await Promise.allSettled(sessions.map((session) => exec(session)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    for (const one of results)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'rate_limited' });
    const other = memberCaller(caller, {});
    await expect(exec(await sandboxes.open(other), other)).resolves.toBeDefined();
    const [fulfilled] = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    await sandboxes.gateway.call(abandonExec, fulfilled ?? { session: '', exec: '' });
    const next = sessions[results.findIndex(({ status }) => status === 'rejected')] ?? '';
    await expect(exec(next)).resolves.toBeDefined();
  });

  it('runs at least one command per user, even with few slots', async () => {
    await sandboxes.sendHeartbeat('w-1', { slots: 1 });
    await sandboxes.sendHeartbeat('w-2', { slots: 0 });
    await expect(exec(await sandboxes.open(caller))).resolves.toBeDefined();
  });
});

describe('a session is found', () => {
  it('by its id, its agent session or both, and not if they contradict each other', async () => {
    const [mine, other] = [await sandboxes.open(caller, 'mine'), await sandboxes.open(caller, 'other')];
    const stop = (query: Request<typeof stopSandbox>['query']) => system.callAs(caller, stopSandbox, { query });
    const { vault: vaultId } = caller;
    expect(await stop({ vaultId, sessionId: mine, agentSessionId: 'other' })).toEqual({ success: false });
    expect((await statusAt({ agentSessionId: 'mine' })).status).not.toBe('stopped');
    expect(await stop({ vaultId, sessionId: mine, agentSessionId: 'mine' })).toEqual({ success: true });
    expect(await statusAt({ agentSessionId: 'mine' })).toMatchObject({ status: 'stopped', sessionId: mine });
    expect(await statusAt({ agentSessionId: 'other' })).toMatchObject({ sessionId: other });
    expect(stopSandbox.query.safeParse({ vaultId }).success).toBe(false);
  });

  it('by its workflow or its agent session, and no session belongs to both', async () => {
    const workflow = newId();
    workflows.set(workflow, newId());
    await system.callAs(caller, startSandbox, { body: { vaultId: caller.vault, workflowId: workflow } });
    await sandboxes.open(caller, 'mine');
    expect(await statusAt({ workflowId: workflow.toUpperCase() })).toMatchObject({ workflowId: workflow });
    expect(await statusAt({ workflowId: workflow, agentSessionId: 'mine' })).toEqual({ success: true, status: 'none' });
    expect(await statusAt({ workflowId: 'x' })).toEqual({ success: true, status: 'none' });
  });

  it('only in its vault; in another vault it does not exist', async () => {
    const session = await sandboxes.open(caller, 'mine');
    const hidden = { code: 'not_found' };
    for (const vaultId of [newId(), 'x']) {
      const body = { vaultId, agentSessionId: 'mine' };
      await expect(system.callAs(caller, startSandbox, { body })).rejects.toMatchObject(hidden);
      await expect(statusAt({ vaultId, agentSessionId: 'mine' })).rejects.toMatchObject(hidden);
      const stopped = system.callAs(caller, stopSandbox, { query: { vaultId, sessionId: session } });
      await expect(stopped).rejects.toMatchObject(hidden);
    }
    for (const { errors } of [startSandbox, getSandbox, stopSandbox]) expect(errors).toContain('not_found');
  });

  it('with an expiry time only while it is open', async () => {
    const session = await sandboxes.open(caller, 'mine');
    expect((await statusOf()).expiresAt).toEqual(expect.any(String));
    await system.callAs(caller, stopSandbox, { query: { sessionId: session } });
    expect(await statusOf()).not.toHaveProperty('expiresAt');
  });
});

describe('a workspace', () => {
  const count = async (session: string) => {
    const query = `SELECT w.id FROM runs.sandbox_workspace w JOIN runs.sandbox_session s ON s.workspace_id = w.id
      WHERE s.id = $1`;
    return (await system.database.query(query, [session])).length;
  };

  it('is deleted with its workflow', async () => {
    const workflow = newId();
    workflows.set(workflow, newId());
    const body = { vaultId: caller.vault, workflowId: workflow };
    const { sessionId = '' } = await system.callAs(caller, startSandbox, { body });
    await put(sessionId, 'a');
    const other = await sandboxes.open(caller);
    const source = await system.sourceOf('workflows');
    await source.emit(workflowDeleted, { vault: newId(), workflow });
    await source.emit(workflowDeleted, { vault: caller.vault, workflow });
    await eventually(async () => expect(await count(sessionId)).toBe(0));
    expect(await count(other)).toBe(1);
  });

  it('is deleted after a quarter of a year without use, unless a session is open', async () => {
    const [old, open, recent] = [
      await sandboxes.open(caller),
      await sandboxes.open(caller),
      await sandboxes.open(caller),
    ];
    for (const sessionId of [old, recent]) await system.callAs(caller, stopSandbox, { query: { sessionId } });
    for (const session of [old, open]) {
      await system.database.query(
        `WITH w AS (UPDATE runs.sandbox_session SET last_active_at = now() - interval '91 days' WHERE id = $1
           RETURNING workspace_id)
         UPDATE runs.sandbox_workspace SET modified_at = now() - interval '91 days' FROM w WHERE id = w.workspace_id`,
        [session],
      );
    }
    const database = new Database({ url: system.database.url, service: 'runs', connections: 1 });
    try {
      await new WorkspaceExpiry(database).deleteUnused();
    } finally {
      await database.close();
    }
    expect([await count(old), await count(open), await count(recent)]).toEqual([0, 1, 1]);
  });

  it('keeps the sessions of a quarter of a year, and what users stored today', async () => {
    const [old, current] = [await sandboxes.open(caller), await sandboxes.open(caller)];
    await system.callAs(caller, stopSandbox, { query: { sessionId: old } });
    await system.database.query(
      `UPDATE runs.sandbox_session SET last_active_at = now() - interval '91 days',
         workspace_id = (SELECT workspace_id FROM runs.sandbox_session WHERE id = $2) WHERE id = $1`,
      [old, current],
    );
    await system.database.query('DELETE FROM runs.sandbox_intake');
    await system.database.query(
      'INSERT INTO runs.sandbox_intake SELECT $1, gen_random_uuid(), current_date - n, 1 FROM generate_series(0, 4) n',
      [caller.vault],
    );
    const database = new Database({ url: system.database.url, service: 'runs', connections: 1 });
    try {
      await new WorkspaceExpiry(database).deleteUnused();
    } finally {
      await database.close();
    }
    const sessions = await system.database.query('SELECT id FROM runs.sandbox_session WHERE id IN ($1, $2)', [
      old,
      current,
    ]);
    expect(sessions).toEqual([{ id: current }]);
    const days = await system.database.query('SELECT current_date - day AS ago FROM runs.sandbox_intake ORDER BY 1');
    expect(days[0]).toEqual({ ago: 0 });
    expect(days.length).toBeLessThanOrEqual(3);
  });
});
