import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { SandboxExit } from '@millrace/contracts/runs/sandbox';
import type { WorkspaceEntry } from '@millrace/contracts/runs/sandbox-hosts';
import { InodePool } from '@millrace/isolation/folders/inode-pool';
import { startWorker, type TestWorker } from '../../testing/start-worker.js';
import { SandboxHost } from '../sandbox-host.js';
import { SANDBOX_LIMITS } from '../sandbox-limits.js';

/** A session's files, as the runs service stores them. */
export interface StoredWorkspace {
  revision: number;
  entries: Map<string, WorkspaceEntry>;
}

export interface TestSandboxHost {
  host: SandboxHost;
  worker: TestWorker;
  /** Sessions whose changes are refused. */
  refused: Set<string>;
  /** Maximum number of bytes that a session may store. */
  mayStoreOf: Map<string, number>;
  workspaceOf(session: string): StoredWorkspace;
  /** Writes a file to the workspace, like a user. */
  put(session: string, path: string, content: string): Promise<void>;
  textOf(session: string, path: string): Promise<string>;
  /** Starts a command. @returns its id */
  begin(session: string, command: string, timeoutMs?: number): Promise<string>;
  /** Reads a command to its end. */
  follow(exec: string): Promise<SandboxExit & { stdout: string; stderr: string }>;
  run(session: string, command: string, timeoutMs?: number): ReturnType<TestSandboxHost['follow']>;
  end(): Promise<void>;
}

/** The sandboxes of a worker, with sessions in memory. */
export async function startSandboxHost(slots = 4): Promise<TestSandboxHost> {
  const worker = await startWorker({ WORKER_ISOLATION: 'required', WORKER_SLOTS: '1' });
  const workspaces = new Map<string, StoredWorkspace>();
  const refused = new Set<string>();
  const mayStoreOf = new Map<string, number>();
  const workspaceOf = (session: string) => {
    const workspace = workspaces.get(session) ?? { revision: 0, entries: new Map<string, WorkspaceEntry>() };
    workspaces.set(session, workspace);
    return workspace;
  };
  const folder = join(worker.core.folder, 'sandboxes');
  const { isolation } = worker.core.execution;
  const host = new SandboxHost(
    {
      ...{ folder, ended: join(folder, 'ended'), store: worker.store, memoryBytes: 2 ** 28 },
      isolation: isolation && { ...isolation, limits: SANDBOX_LIMITS },
      inodes: new InodePool(join(folder, 'spare')),
      claimExec: async ({ session, revision: previous }) => {
        const { revision, entries } = workspaceOf(session);
        const mayStore = mayStoreOf.get(session) ?? Number.MAX_SAFE_INTEGER;
        return { taken: true, revision, entries: previous === revision ? null : [...entries.values()], mayStore };
      },
      finishExec: async ({ session, changed, removed }) => {
        const workspace = workspaceOf(session);
        if (refused.has(session) && changed.length > 0) throw new Error('refused');
        for (const path of removed) workspace.entries.delete(path);
        for (const entry of changed) workspace.entries.set(entry.path, entry);
        if (changed.length + removed.length > 0) workspace.revision += 1;
        return { saved: true, revision: workspace.revision };
      },
    },
    slots,
  );
  const begin: TestSandboxHost['begin'] = async (session, command, timeoutMs = 20_000) => {
    const exec = randomUUID();
    if (!(await host.begin({ session, exec, command, timeoutMs }))) throw new Error('no room');
    return exec;
  };
  const follow: TestSandboxHost['follow'] = async (exec) => {
    const printed = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
    for (;;) {
      const offsets = { stdout: printed.stdout.length, stderr: printed.stderr.length };
      const { exit, known, ...parts } = await host.read({ exec, ...offsets, waitMs: 1_000 });
      if (!known) throw new Error('unknown');
      for (const name of ['stdout', 'stderr'] as const) {
        printed[name] = Buffer.concat([printed[name], Buffer.from(parts[name], 'base64')]);
      }
      if (exit) return { ...exit, stdout: printed.stdout.toString(), stderr: printed.stderr.toString() };
    }
  };
  return {
    ...{ host, worker, refused, mayStoreOf, workspaceOf, begin, follow },
    put: async (session, path, content) => {
      const workspace = workspaceOf(session);
      const object = await worker.store.put(Buffer.from(content));
      workspace.entries.set(path, { path, kind: 'file', ...object, executable: false, target: null });
      workspace.revision += 1;
    },
    textOf: async (session, path) => {
      const entry = workspaceOf(session).entries.get(path);
      return entry?.sha256 ? (await worker.store.readAll(entry.sha256)).toString() : `no ${path}`;
    },
    run: async (...args) => follow(await begin(...args)),
    end: async () => {
      await host.close();
      await worker.end();
    },
  };
}
