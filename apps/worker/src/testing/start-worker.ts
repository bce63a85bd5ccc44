import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DispatchPayload } from '@millrace/contracts/runs/dispatch';
import { type FileRef, type FileSet } from '@millrace/contracts/runs/files';
import { type FinishedReport, type Report } from '@millrace/contracts/runs/report';
import { type Plan, type Scope, type Step } from '@millrace/graph/plan/plan';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { type FindCached } from '../cache/result-cache.js';
import { WorkerCore } from '../core/worker-core.js';
import { coreEnv } from '../env.js';
import { type OpenVariables } from '../variables/variable-source.js';

export interface TestWorker {
  core: WorkerCore;
  store: DiskStore;
  folder: string;
  reports: Report[];
  finished(): FinishedReport[];
  /** Resolves when all executed steps have been reported. */
  reported(): Promise<void>;
  /** A dispatch of a whole plan, all its steps in one segment. */
  dispatch(
    steps: Step[],
    more?: Partial<DispatchPayload>,
    scopes?: Scope[],
    plan?: Partial<Plan>,
  ): Promise<DispatchPayload>;
  file(path: string, content: string): Promise<FileRef>;
  text(set: FileSet, path?: string): Promise<string>;
  end(): Promise<void>;
}

export async function startWorker(
  env: Record<string, string> = {},
  unlock: OpenVariables = refuseVariables,
  findCached: FindCached = async () => [],
): Promise<TestWorker> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-worker-'));
  // Without isolation the users of slots pass through this folder.
  chmodSync(folder, 0o711);
  const paths = { STORAGE_DIR: join(folder, 'store'), WORK_DIR: join(folder, 'work') };
  const reports: Report[] = [];
  const receive = async (batch: readonly Report[]) => void reports.push(...batch);
  const core = await WorkerCore.start(coreEnv.parse({ ...paths, WORKER_SLOTS: '2', ...env }), receive, {
    unlock,
    findCached,
  });
  const store = new DiskStore(paths.STORAGE_DIR);
  let number = 0;
  return {
    core,
    store,
    folder,
    reports,
    async reported() {
      while (core.heartbeat().dispatches.length > 0) await sleep(10);
    },
    finished: () => reports.filter((report) => report.type === 'finished'),
    async dispatch(steps, more = {}, scopes = [], plan = {}) {
      const { sha256 } = await store.put(Buffer.from(JSON.stringify({ ...planOf(steps, scopes), ...plan })));
      const ids = { dispatch: `d-${++number}`, run: '1', vault: '01890000-0000-7000-8000-000000000000' };
      const tasks = [{ index: 0, attempt: 1, files: {}, recorded: [] }];
      return { ...ids, plan: sha256, segment: 0, inputs: {}, shared: {}, items: null, tasks, ...more };
    },
    async file(path, content) {
      return { path, ...(await store.put(Buffer.from(content))) };
    },
    async text(set, path = 'output.txt') {
      const file = 'files' in set ? set.files.find((one) => one.path === path) : undefined;
      return file ? (await store.readAll(file.sha256)).toString() : `no ${path} in ${JSON.stringify(set)}`;
    },
    async end() {
      await core.close(0);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const refuseVariables: OpenVariables = () => Promise.reject(new Error('no variables here'));

function planOf(steps: Step[], scopes: Scope[]): Plan {
  const segment = { index: 0, steps: steps.map((step) => step.index), scope: steps[0]?.scope ?? null, needs: [] };
  return { format: 1, steps, segments: [segment], scopes, primitives: {}, outputs: [], widest: null };
}

/** Step `index` of a plan: a bash script, named `s<index>`. */
export function script(index: number, source: string, more: Partial<Step> = {}): Step {
  const program = { kind: 'script' as const, language: 'bash' as const, source, args: [] };
  const plain = {
    inputs: [],
    environment: {},
    segment: 0,
    scope: null,
    retries: 0,
    timeoutSeconds: null,
    cache: false,
  };
  const names = { index, node: `s${index}`, label: `s${index}` };
  return { ...names, ...plain, type: 'SCRIPT', program, network: false, size: 'small', ...more };
}
