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

/** Workers that open whatever they are asked to. */
export const WORKERS = ['w-1', 'w-2'];

const SHA = 'a'.repeat(64);

export interface PlayedSandboxes {
  gateway: FakeService;
  worker: FakeService;
  /** Tells that a worker is there, and what it has. */
  beat(worker: string, has?: { slots?: number; sessions?: string[]; execs?: string[] }): Promise<void>;
  /** Starts a session and gives its id. */
  open(caller: Caller, agentSessionId?: string): Promise<string>;
  /** Lends the session to a command. */
  exec(caller: Caller, session: string): Promise<Result<typeof execInSandbox>>;
  /** The same, and a worker takes the command. */
  begin(caller: Caller, session: string): Promise<Begun>;
  settle(begun: Begun, changed: WorkspaceEntry[], removed?: string[]): Promise<Result<typeof finishExec>>;
  /** Puts a file in, as a user does. */
  put(caller: Caller, session: string, path: string, size?: number): Promise<Result<typeof writeSandboxFile>>;
  /** Paths of the files of a session, in order. */
  pathsOf(caller: Caller, session: string): Promise<string[]>;
}

export interface Begun {
  session: string;
  exec: string;
  worker: string;
}

export const aFile = (path: string, size = 1): WorkspaceEntry => ({
  ...{ path, kind: 'file', sha256: SHA, size, executable: false, target: null },
});

const COPIES = [start, start];

/** Two copies of the service, beside workers and a gateway that are played. */
export async function startSandboxes(): Promise<{ system: SystemWithStore; played: PlayedSandboxes }> {
  const system = await startWithStore(COPIES);
  return { system, played: await playSandboxes(system) };
}

/** @returns waits until each copy has noted a beat of that worker that is told within; one that comes late would undo the next */
async function countNoted(
  database: FreshDatabase,
): Promise<(worker: string, publishBeat: () => void) => Promise<void>> {
  await database.query('CREATE TABLE runs.noted_beat (worker text)');
  await database.query(`CREATE FUNCTION runs.count_beat() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO runs.noted_beat VALUES (NEW.worker); RETURN NULL; END $$`);
  await database.query(`CREATE TRIGGER count_beat AFTER INSERT OR UPDATE ON runs.sandbox_host
    FOR EACH ROW EXECUTE FUNCTION runs.count_beat()`);
  const count = async (worker: string) =>
    (await database.query('SELECT 1 FROM runs.noted_beat WHERE worker = $1', [worker])).length;
  return async (worker, publishBeat) => {
    const before = await count(worker);
    publishBeat();
    await eventually(async () => expect(await count(worker)).toBe(before + COPIES.length));
  };
}

/** Workers and the gateway as far as sandboxes are concerned. */
async function playSandboxes(system: System): Promise<PlayedSandboxes> {
  const [gateway, worker] = [await system.fake('gateway'), await system.fake('worker')];
  for (const id of WORKERS) worker.broker.handleOnInstance(openSandbox, id, async () => ({ opened: true }));
  const untilNoted = await countNoted(system.database);
  const exec: PlayedSandboxes['exec'] = (caller, session) =>
    system.callAs(caller, execInSandbox, { body: { sessionId: session, command: 'true' } });
  return {
    gateway,
    worker,
    exec,
    beat: (id, { slots = 4, sessions = [], execs = [] } = {}) =>
      untilNoted(id, () => worker.broker.publish(sandboxHosts, { worker: id, slots, sessions, execs })),
    open: async (caller, agentSessionId = newId()) => {
      const { sessionId = '' } = await system.callAs(caller, startSandbox, {
        body: { vaultId: caller.vault, agentSessionId },
      });
      return sessionId;
    },
    begin: async (caller, session) => {
      const order = await exec(caller, session);
      const placed = await gateway.call(assignExec, { ...order, unlike: [] });
      const begun = { ...order, worker: placed.worker ?? '' };
      await worker.call(claimExec, { ...begun, revision: null });
      return begun;
    },
    settle: (begun, changed, removed = []) => worker.call(finishExec, { ...begun, changed, removed }),
    put: (caller, sessionId, path, size = 1) =>
      system.callAs(caller, writeSandboxFile, { query: { sessionId, path }, body: { sha256: SHA, size } }),
    pathsOf: async (caller, sessionId) => {
      const { results } = await system.callAs(caller, listSandboxFiles, { query: { sessionId, page_size: 1000 } });
      return results.map(({ path }) => path).sort();
    },
  };
}
