import { mkdir } from 'node:fs/promises';
import type { V1Pod } from '@kubernetes/client-node';
import { wipeFolder } from '@millrace/isolation/folders/wipe-folder';
import type { CommandExit, KillReason } from '@millrace/isolation/slot/running-command';
import { retry } from '../back-off.js';
import {
  type ContainerCommand,
  ContainerDisruptedError,
  type ContainerRun,
  ContainerStartError,
} from '../container-executor.js';
import { alreadyExists, type ApiClient, describeApiError, isTransient } from './api-client.js';
import { buildJob } from './build-job.js';
import { ExecFailedError } from './exec-session.js';
import { findJobProblem } from './find-job-problem.js';
import type { KubernetesOptions } from './kubernetes-options.js';
import type { PodWatcher } from './pod-watcher.js';
import { type PodState, readPodState } from './read-pod-state.js';
import { StepPod } from './step-pod.js';
import { TarLimitError } from './tar-guard.js';

/** How long a killed command may take to end before its Job is deleted under it. */
const KILL_TIMEOUT_MS = 5_000;
/** How long a pod that has ended by itself gives for the rest of its logs, and one that cannot be reached for its deletion. */
const LOST_TIMEOUT_MS = 10_000;

export interface RunContext {
  api: ApiClient;
  watcher: PodWatcher;
  namespace: string;
  options: KubernetesOptions;
  /** Deletes the Job, however long that takes. */
  deleteJob: (name: string) => void;
}

/** Ends a run whose command cannot report its end itself. */
class CutShortError extends Error {
  override name = 'CutShortError';

  constructor(
    readonly killReason: KillReason | null,
    readonly signal: string = 'SIGKILL',
  ) {
    super('the command was cut short');
  }
}

/** One command as a Job, from its creation to its deletion. */
export class KubernetesRun implements ContainerRun {
  readonly exit: Promise<CommandExit>;
  private readonly createdAt = performance.now();
  /** Aborted with an error if nothing more can come from the pod. */
  private readonly cut = new AbortController();
  private readonly running = Promise.withResolvers<V1Pod>();
  private state: PodState | null = null;
  private phase: 'starting' | 'running' | 'collecting' = 'starting';
  private pod: StepPod | null = null;
  private lostReason: KillReason | null = null;

  constructor(
    private readonly name: string,
    private readonly command: ContainerCommand,
    private readonly context: RunContext,
  ) {
    this.running.promise.catch(() => undefined);
    this.exit = this.execute();
  }

  stop(graceMs: number): void {
    if (this.cut.signal.aborted) return;
    // Nothing runs yet, or no longer.
    if (this.phase !== 'running') return this.cut.abort(new CutShortError(null, graceMs > 0 ? 'SIGTERM' : 'SIGKILL'));
    if (graceMs <= 0) return this.kill();
    this.pod?.terminate().catch(() => undefined);
    setTimeout(() => this.kill(), graceMs).unref();
  }

  /** They are in the cluster. */
  processes(): readonly number[] {
    return [];
  }

  private kill(): void {
    if (this.phase !== 'running') return;
    this.pod?.kill().catch(() => undefined);
    setTimeout(() => {
      if (this.phase === 'running') this.cut.abort(new CutShortError('lost'));
    }, KILL_TIMEOUT_MS).unref();
  }

  private async execute(): Promise<CommandExit> {
    const { watcher, deleteJob } = this.context;
    const unsubscribe = watcher.subscribe(this.name, (pod) => this.observe(pod));
    try {
      await this.createJob();
      return await this.runInPod(await this.waitUntilRunning());
    } catch (error) {
      return await this.explain(error);
    } finally {
      unsubscribe();
      this.cut.abort(new CutShortError(null));
      deleteJob(this.name);
    }
  }

  private async runInPod(pod: V1Pod): Promise<CommandExit> {
    const { namespace, options } = this.context;
    const target = { config: options.config, namespace, pod: pod.metadata?.name ?? '' };
    this.pod = new StepPod(target, this.command, this.cut.signal);
    await this.pod.start();
    this.phase = 'running';
    await this.pod.followLogs();
    this.phase = 'collecting';
    if (this.lostReason !== null) throw new CutShortError(this.lostReason);
    const exit = await this.pod.collect(() => this.clearOutputs());
    if (exit === null) throw new CutShortError('lost');
    return exit;
  }

  private async clearOutputs(): Promise<void> {
    const { output } = this.command.folders;
    await wipeFolder(output);
    await mkdir(output, { recursive: true });
  }

  /** Creates the Job. If the first attempt was successful although its response was lost, the next one finds the Job. */
  private async createJob(): Promise<void> {
    const { api, namespace, options } = this.context;
    const body = buildJob(this.name, this.command, options);
    const create = async () => {
      try {
        await api.jobs.createNamespacedJob({ namespace, body, fieldValidation: 'Strict' });
      } catch (error) {
        if (!alreadyExists(error)) throw error;
      }
    };
    await retry(create, isTransient, this.cut.signal).catch((error: unknown) => {
      if (this.cut.signal.aborted) throw error;
      throw new ContainerStartError(`Kubernetes refuses the Job of a step: ${describeApiError(error)}`);
    });
  }

  private async waitUntilRunning(): Promise<V1Pod> {
    const { startTimeoutMs } = this.context.options;
    const { signal } = this.cut;
    const timer = setTimeout(() => void this.reportStartTimeout(startTimeoutMs), startTimeoutMs);
    const abort = () => this.running.reject(signal.reason as Error);
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    try {
      return await this.running.promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  private async reportStartTimeout(startTimeoutMs: number): Promise<void> {
    const { api, namespace } = this.context;
    const reason =
      this.state?.kind === 'starting' ? this.state.reason : await findJobProblem(api.events, namespace, this.name);
    const message = `the pod of the step did not start within ${startTimeoutMs / 1000} s (WORKER_KUBERNETES_START_SECONDS): ${reason}`;
    this.cut.abort(new ContainerStartError(message));
  }

  private observe(pod: V1Pod | null): void {
    const state = readPodState(pod);
    this.state = state;
    if (state.kind === 'running' && pod) this.running.resolve(pod);
    if (state.kind === 'failed') this.cut.abort(state.error);
    if (state.kind === 'gone') this.cut.abort(new CutShortError(state.killReason));
    if (state.kind === 'disrupted') this.cut.abort(this.explainDisruption(state.reason));
    if (state.kind === 'stepLost') this.handleLostStep(state.killReason);
  }

  /** A Job that runs for too long loses its pod as well, and would do so again elsewhere. */
  private explainDisruption(reason: string): Error {
    const isOverdue = performance.now() - this.createdAt >= this.context.options.deadlineSeconds * 1000;
    return isOverdue
      ? new CutShortError('lost')
      : new ContainerDisruptedError(`the pod of the step was removed from its node: ${reason}`);
  }

  /** The container of the step is gone, and that of its files still there: the rest of the logs can be read. */
  private handleLostStep(killReason: KillReason): void {
    // Its outputs can still be read.
    if (this.lostReason !== null || this.phase === 'collecting') return;
    this.lostReason = killReason;
    if (this.phase === 'starting') return this.cut.abort(new CutShortError(killReason));
    this.pod?.endLogs().catch(() => undefined);
    setTimeout(() => this.cut.abort(new CutShortError(killReason)), LOST_TIMEOUT_MS).unref();
  }

  /** Tells apart how a run can end early. @throws the error if it is not about the command */
  private async explain(error: unknown): Promise<CommandExit> {
    if (error instanceof TarLimitError) return killed(error.limit);
    // A container that has just ended refuses commands before the watch reports its end.
    const cause = error instanceof ExecFailedError ? await this.waitForEnd(error) : error;
    if (cause instanceof CutShortError) return killed(cause.killReason, cause.signal);
    throw cause;
  }

  private async waitForEnd(error: ExecFailedError): Promise<unknown> {
    const { signal } = this.cut;
    if (signal.aborted) return signal.reason;
    if (this.lostReason !== null) return new CutShortError(this.lostReason);
    const timeout = AbortSignal.timeout(LOST_TIMEOUT_MS);
    await new Promise<void>((resolve) => {
      for (const one of [signal, timeout]) one.addEventListener('abort', () => resolve(), { once: true });
    });
    if (signal.aborted) return signal.reason;
    return this.lostReason === null ? error : new CutShortError(this.lostReason);
  }
}

const killed = (killReason: KillReason | null, signal = 'SIGKILL'): CommandExit => ({
  code: null,
  signal,
  cpuMs: 0,
  maxRssBytes: 0,
  killReason,
});
