import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { SandboxExit } from '@millrace/contracts/runs/sandbox';
import type { WorkspaceEntry } from '@millrace/contracts/runs/sandbox-hosts';
import { InodePool } from '@millrace/isolation/folders/inode-pool';
import { startWorker, type TestWorker } from '../../testing/start-worker.js';
import { SandboxHost } from '../sandbox-host.js';
import { SANDBOX_LIMITS } from '../sandbox-limits.js';

/** A session's files, as the runs service keeps them. */
export interface KeptWorkspace {
  revision: number;
  entries: Map<string, WorkspaceEntry>;
}

export interface TestSandboxHost {
  host: SandboxHost;
  worker: TestWorker;
  /** Sessions whose changes are not taken. */
  refused: Set<string>;
  /** Bytes that sessions may have stored, where they are bounded. */
  mayStoreOf: Map<string, number>;
  workspaceOf(session: string): KeptWorkspace;
  /** Puts a file in, as a user does. */
  put(session: string, path: string, content: string): Promise<void>;
  textOf(session: string, path: string): Promise<string>;
  /** Begins with a command. @returns its id */
  begin(session: string, command: string, timeoutMs?: number): Promise<string>;
  /** Reads a command to its end. */
  follow(exec: string): Promise<SandboxExit & { stdout: string; stderr: string }>;
  run(session: string, command: string, timeoutMs?: number): ReturnType<TestSandboxHost['follow']>;
  end(): Promise<void>;
}

/** The sandboxes of a worker whose sessions are kept in memory. */
export async function startSandboxHost(slots = 4): Promise<TestSandboxHost> {
  const worker = await startWorker({ WORKER_ISOLATION: 'required', WORKER_SLOTS: '1' });
  const workspaces = new Map<string, KeptWorkspace>();
  const refused = new Set<string>();
  const mayStoreOf = new Map<string, number>();
  const workspaceOf = (session: string) => {
    const kept = workspaces.get(session) ?? { revision: 0, entries: new Map<string, WorkspaceEntry>() };
    workspaces.set(session, kept);
    return kept;
  };
  const folder = join(worker.core.folder, 'sandboxes');
  const host = new SandboxHost(
    {
      ...{ folder, ended: join(folder, 'ended'), store: worker.store, memoryBytes: 2 ** 28 },
      isolation: { ...worker.core.isolation, limits: SANDBOX_LIMITS },
      inodes: new InodePool(join(folder, 'spare')),
      take: async ({ session, revision: former }) => {
        const { revision, entries } = workspaceOf(session);
        const mayStore = mayStoreOf.get(session) ?? Number.MAX_SAFE_INTEGER;
        return { taken: true, revision, entries: former === revision ? null : [...entries.values()], mayStore };
      },
      settle: async ({ session, changed, removed }) => {
        const kept = workspaceOf(session);
        if (refused.has(session) && changed.length > 0) throw new Error('not taken');
        for (const path of removed) kept.entries.delete(path);
        for (const entry of changed) kept.entries.set(entry.path, entry);
        if (changed.length + removed.length > 0) kept.revision += 1;
        return { saved: true, revision: kept.revision };
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
      const kept = workspaceOf(session);
      const object = await worker.store.put(Buffer.from(content));
      kept.entries.set(path, { path, kind: 'file', ...object, executable: false, target: null });
      kept.revision += 1;
    },
    textOf: async (session, path) => {
      const entry = workspaceOf(session).entries.get(path);
      return entry?.sha256 ? (await worker.store.readAll(entry.sha256)).toString() : `no ${path}`;
    },
    run: async (...order) => follow(await begin(...order)),
    end: async () => {
      await host.close();
      await worker.end();
    },
  };
}
