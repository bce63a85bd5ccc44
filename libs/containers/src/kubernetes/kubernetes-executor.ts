import { randomBytes } from 'node:crypto';
import { retry } from '../back-off.js';
import { type ContainerCommand, type ContainerExecutor, type ContainerRun } from '../container-executor.js';
import { type ApiClient, isTransient, openApi, statusOf } from './api-client.js';
import { WORKER_LABEL } from './build-job.js';
import { checkCluster } from './check-cluster.js';
import type { KubernetesOptions } from './kubernetes-options.js';
import { KubernetesRun } from './kubernetes-run.js';
import { PodWatcher } from './pod-watcher.js';

/** How long `close` tries to delete Jobs. What is left, the restarted worker or Kubernetes itself deletes. */
const CLOSE_TIMEOUT_MS = 5_000;

/** Runs each command as a Job of Kubernetes (docs/guides/workers.md). */
export class KubernetesExecutor implements ContainerExecutor {
  readonly kind = 'kubernetes';
  private readonly options: KubernetesOptions;
  private readonly api: ApiClient;
  private readonly watcher: PodWatcher;
  private readonly namespace: string;
  private readonly runs = new Set<KubernetesRun>();
  private readonly deletions = new Set<Promise<void>>();
  private readonly closed = new AbortController();

  /** @throws Error if the configuration names no cluster */
  constructor(options: KubernetesOptions) {
    const { config, worker, workerPod } = options;
    this.namespace = config.getContextObject(config.getCurrentContext())?.namespace ?? 'default';
    // Kubernetes would delete Jobs at once whose owner is in another namespace.
    this.options = { ...options, workerPod: workerPod?.namespace === this.namespace ? workerPod : null };
    this.api = openApi(config);
    this.watcher = new PodWatcher(config, this.api, this.namespace, worker);
  }

  async prepare(): Promise<void> {
    await checkCluster(this.api, this.namespace);
    await this.deleteLeftJobs();
  }

  run(command: ContainerCommand): ContainerRun {
    const { api, watcher, namespace, options } = this;
    const name = `millrace-step-${randomBytes(8).toString('hex')}`;
    const deleteJob = (job: string) => this.deleteJob(job);
    const run = new KubernetesRun(name, command, { api, watcher, namespace, options, deleteJob });
    this.runs.add(run);
    const forget = () => void this.runs.delete(run);
    run.exit.then(forget, forget);
    return run;
  }

  async close(): Promise<void> {
    for (const run of this.runs) run.stop(0);
    const timeout = setTimeout(() => this.closed.abort(), CLOSE_TIMEOUT_MS);
    await Promise.allSettled([...this.runs].map(({ exit }) => exit));
    await Promise.allSettled(this.deletions);
    clearTimeout(timeout);
    this.closed.abort();
    await this.watcher.close();
  }

  private deleteJob(name: string): void {
    const { namespace } = this;
    const deletion = retry(
      () => this.api.jobs.deleteNamespacedJob({ name, namespace, propagationPolicy: 'Background' }),
      isTransient,
      this.closed.signal,
    ).then(
      () => undefined,
      // Somebody else has deleted it, or ttlSecondsAfterFinished will.
      () => undefined,
    );
    this.deletions.add(deletion);
    void deletion.then(() => this.deletions.delete(deletion));
  }

  private async deleteLeftJobs(): Promise<void> {
    const { namespace, options } = this;
    if (options.replaces === null) return;
    const labelSelector = `${WORKER_LABEL}=${options.replaces}`;
    const { items } = await this.api.jobs.listNamespacedJob({ namespace, labelSelector });
    for (const { metadata } of items) {
      const name = metadata?.name ?? '';
      await this.api.jobs
        .deleteNamespacedJob({ name, namespace, propagationPolicy: 'Background' })
        .catch((error: unknown) => {
          if (statusOf(error) !== 404) throw error;
        });
    }
  }
}
