import { expect } from '@jest/globals';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Result } from '@millrace/contracts/kit/operation';
import { execInSandbox, listSandboxFiles, startSandbox, writeSandboxFile } from '@millrace/contracts/runs/sandbox';
import {
  openSandbox,
  assignExec,
  sandboxHosts,
  finishExec,
  claimExec,
  type WorkspaceEntry,
} from '@millrace/contracts/runs/sandbox-hosts';
import { newId } from '@millrace/persistence/ids';
import { eventually } from '@millrace/testkit/eventually';
import type { FakeService } from '@millrace/testkit/fake-service';
import type { FreshDatabase } from '@millrace/testkit/fresh-database';
import type { System } from '@millrace/testkit/start-apps';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../../start.js';

/** Workers that open every requested sandbox. */
export const WORKERS = ['w-1', 'w-2'];

const SHA = 'a'.repeat(64);

export interface FakeSandboxes {
  gateway: FakeService;
  worker: FakeService;
  /** Reports that a worker is connected, and what it runs. Resolves when both copies of the service have handled it. */
  sendHeartbeat(worker: string, has?: { slots?: number; sessions?: string[]; execs?: string[] }): Promise<void>;
  /** Starts a session. @returns its id */
  open(caller: Caller, agentSessionId?: string): Promise<string>;
  /** Leases the session to a command. */
  exec(caller: Caller, session: string): Promise<Result<typeof execInSandbox>>;
  /** The same, and a worker claims the command. */
  startCommand(caller: Caller, session: string): Promise<StartedCommand>;
  finishCommand(
    command: StartedCommand,
    changed: WorkspaceEntry[],
    removed?: string[],
  ): Promise<Result<typeof finishExec>>;
  /** Writes a file, as a user does. */
  put(caller: Caller, session: string, path: string, size?: number): Promise<Result<typeof writeSandboxFile>>;
  /** Paths of the files of a session, in order. */
  pathsOf(caller: Caller, session: string): Promise<string[]>;
}

export interface StartedCommand {
  session: string;
  exec: string;
  worker: string;
}

export const aFile = (path: string, size = 1): WorkspaceEntry => ({
  ...{ path, kind: 'file', sha256: SHA, size, executable: false, target: null },
});

const COPIES = [start, start];

/** Two copies of the service, with fake workers and a fake gateway. */
export async function startSandboxes(): Promise<{ system: SystemWithStore; sandboxes: FakeSandboxes }> {
  const system = await startWithStore(COPIES);
  return { system, sandboxes: await fakeSandboxes(system) };
}

/** @returns publishes a heartbeat and waits until every copy has handled it, because a late one would undo the next */
async function countHandledHeartbeats(
  database: FreshDatabase,
): Promise<(worker: string, publishHeartbeat: () => void) => Promise<void>> {
  await database.query(
    'CREATE TABLE runs.handled_heartbeat (worker text); GRANT INSERT ON runs.handled_heartbeat TO PUBLIC',
  );
  await database.query(`CREATE FUNCTION runs.count_heartbeat() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO runs.handled_heartbeat VALUES (NEW.worker); RETURN NULL; END $$`);
  await database.query(`CREATE TRIGGER count_heartbeat AFTER INSERT OR UPDATE ON runs.sandbox_host
    FOR EACH ROW EXECUTE FUNCTION runs.count_heartbeat()`);
  const count = async (worker: string) =>
    (await database.query('SELECT 1 FROM runs.handled_heartbeat WHERE worker = $1', [worker])).length;
  return async (worker, publishHeartbeat) => {
    const before = await count(worker);
    publishHeartbeat();
    await eventually(async () => expect(await count(worker)).toBe(before + COPIES.length));
  };
}

/** The operations and heartbeats of workers and the gateway that concern sandboxes. */
async function fakeSandboxes(system: System): Promise<FakeSandboxes> {
  const [gateway, worker] = [await system.fake('gateway'), await system.fake('worker')];
  for (const id of WORKERS) worker.broker.handleOnInstance(openSandbox, id, async () => ({ opened: true }));
  const untilHandled = await countHandledHeartbeats(system.database);
  const exec: FakeSandboxes['exec'] = (caller, session) =>
    system.callAs(caller, execInSandbox, { body: { sessionId: session, command: 'true' } });
  return {
    gateway,
    worker,
    exec,
    sendHeartbeat: (id, { slots = 4, sessions = [], execs = [] } = {}) =>
      untilHandled(id, () => worker.broker.publish(sandboxHosts, { worker: id, slots, sessions, execs })),
    open: async (caller, agentSessionId = newId()) => {
      const { sessionId = '' } = await system.callAs(caller, startSandbox, {
        body: { vaultId: caller.vault, agentSessionId },
      });
      return sessionId;
    },
    startCommand: async (caller, session) => {
      const order = await exec(caller, session);
      const assigned = await gateway.call(assignExec, { ...order, unlike: [] });
      const command = { ...order, worker: assigned.worker ?? '' };
      await worker.call(claimExec, { ...command, revision: null });
      return command;
    },
    finishCommand: (command, changed, removed = []) => worker.call(finishExec, { ...command, changed, removed }),
    put: (caller, sessionId, path, size = 1) =>
      system.callAs(caller, writeSandboxFile, { query: { sessionId, path }, body: { sha256: SHA, size } }),
    pathsOf: async (caller, sessionId) => {
      const { results } = await system.callAs(caller, listSandboxFiles, { query: { sessionId, page_size: 1000 } });
      return results.map(({ path }) => path).sort();
    },
  };
}
