import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Result } from '@millrace/contracts/kit/operation';
import { execInSandbox, startSandbox } from '@millrace/contracts/runs/sandbox';
import {
  openSandbox,
  placeExec,
  sandboxHosts,
  settleExec,
  takeExec,
  type WorkspaceEntry,
} from '@millrace/contracts/runs/sandbox-hosts';
import { newId } from '@millrace/persistence/ids';
import { eventually } from '@millrace/testkit/eventually';
import type { PlayedService } from '@millrace/testkit/play-service';
import type { System } from '@millrace/testkit/start-apps';

export interface PlayedSandboxes {
  gateway: PlayedService;
  worker: PlayedService;
  /** Tells that a worker is there, and what it has. */
  beat(worker: string, has?: { slots?: number; sessions?: string[]; execs?: string[] }): Promise<void>;
  /** Starts a session and gives its id. */
  open(caller: Caller, agentSessionId?: string): Promise<string>;
  /** Lends the session to a command, which a worker takes. */
  begin(caller: Caller, session: string): Promise<Begun>;
  settle(begun: Begun, changed: WorkspaceEntry[], removed?: string[]): Promise<Result<typeof settleExec>>;
}

export interface Begun {
  session: string;
  exec: string;
  worker: string;
}

export const aFile = (path: string, size = 1): WorkspaceEntry => ({
  ...{ path, kind: 'file', sha256: 'a'.repeat(64), size, executable: false, target: null },
});

/** Workers and the gateway as far as sandboxes are concerned. Workers named here open whatever they are asked to. */
export async function playSandboxes(system: System, workers: readonly string[]): Promise<PlayedSandboxes> {
  const [gateway, worker] = [await system.play('gateway'), await system.play('worker')];
  for (const id of workers) worker.broker.answer(openSandbox, id, async () => ({ opened: true }));
  const isNoted = async (id: string, slots: number) => {
    const query = 'SELECT 1 FROM runs.sandbox_host WHERE worker = $1 AND slots = $2';
    if ((await system.database.query(query, [id, slots])).length === 0) throw new Error(`${id} is not noted yet`);
  };
  return {
    gateway,
    worker,
    beat: async (id, { slots = 4, sessions = [], execs = [] } = {}) => {
      worker.broker.tell(sandboxHosts, { worker: id, slots, sessions, execs });
      await eventually(() => isNoted(id, slots));
    },
    open: async (caller, agentSessionId = newId()) => {
      const { sessionId = '' } = await system.askAs(caller, startSandbox, {
        body: { vaultId: caller.vault, agentSessionId },
      });
      return sessionId;
    },
    begin: async (caller, session) => {
      const order = await system.askAs(caller, execInSandbox, { body: { sessionId: session, command: 'true' } });
      const placed = await gateway.ask(placeExec, { ...order, unlike: [] });
      const begun = { ...order, worker: placed.worker ?? '' };
      await worker.ask(takeExec, { ...begun, revision: null });
      return begun;
    },
    settle: (begun, changed, removed = []) => worker.ask(settleExec, { ...begun, changed, removed }),
  };
}
