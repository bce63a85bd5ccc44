import { setTimeout as sleep } from 'node:timers/promises';
import { type KubeConfig, type V1Pod, Watch } from '@kubernetes/client-node';
import { BackOff } from '../back-off.js';
import { type ApiClient, statusOf } from './api-client.js';
import { WORKER_LABEL } from './build-job.js';

/** Kubernetes writes it on the pods of a Job. */
const JOB_LABEL = 'batch.kubernetes.io/job-name';
/** The API server ends a watch after this time, and this process opens another. */
const WATCH_SECONDS = 240;

const CLOSE_TIMEOUT_MS = 1_000;
/** A watch that ends sooner did not work. */
const MIN_WATCH_MS = 1_000;

/** Gets the pod of a Job each time it changes, and null when it has been deleted. */
export type PodListener = (pod: V1Pod | null) => void;

/** Watches the pods of all steps of one worker, with one request. Outages of the API server only delay what it reports. */
export class PodWatcher {
  private readonly listeners = new Map<string, PodListener>();
  /** Name of the Job and the last state, by name of the pod. */
  private readonly pods = new Map<string, { job: string; pod: V1Pod }>();
  private readonly end = new AbortController();
  private loop: Promise<void> | null = null;

  constructor(
    private readonly config: KubeConfig,
    private readonly api: ApiClient,
    private readonly namespace: string,
    private readonly worker: string,
  ) {}

  /** Reports the pod of a Job until the returned function is called. A Job has one pod. */
  subscribe(job: string, listener: PodListener): () => void {
    this.loop ??= this.run();
    this.listeners.set(job, listener);
    return () => void this.listeners.delete(job);
  }

  /** Ends the watch. A request that waits for an API server which does not respond ends later by itself. */
  async close(): Promise<void> {
    this.end.abort();
    await Promise.race([this.loop, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }

  private async run(): Promise<void> {
    const { signal } = this.end;
    const backOff = new BackOff();
    let version: string | null = null;
    while (!signal.aborted) {
      const startedAt = performance.now();
      try {
        version ??= await this.list();
        version = await this.watch(version);
        if (performance.now() - startedAt > MIN_WATCH_MS) backOff.reset();
        else await backOff.pause(signal).catch(() => undefined);
      } catch (error) {
        // 410 Gone: the version is too old, so the list has to be read again.
        if (statusOf(error) === 410) version = null;
        await backOff.pause(signal).catch(() => undefined);
      }
    }
  }

  /** Reports everything as it is now, and what has disappeared since. */
  private async list(): Promise<string> {
    const list = await this.api.core.listNamespacedPod({
      namespace: this.namespace,
      labelSelector: `${WORKER_LABEL}=${this.worker}`,
    });
    const names = new Set(list.items.map((pod) => pod.metadata?.name ?? ''));
    for (const pod of list.items) this.report(pod, false);
    for (const [name, { pod }] of this.pods) if (!names.has(name)) this.report(pod, true);
    return list.metadata?.resourceVersion ?? '';
  }

  /** Watches until the API server ends the request. @returns the version to go on from @throws the error of an event */
  private async watch(from: string): Promise<string> {
    let version = from;
    const ended = Promise.withResolvers<void>();
    ended.promise.catch(() => undefined);
    const controller = await new Watch(this.config).watch(
      `/api/v1/namespaces/${this.namespace}/pods`,
      {
        labelSelector: `${WORKER_LABEL}=${this.worker}`,
        resourceVersion: version,
        allowWatchBookmarks: true,
        timeoutSeconds: WATCH_SECONDS,
      },
      (type, pod: V1Pod & { code?: number; message?: string }) => {
        if (type === 'ERROR') return ended.reject(Object.assign(new Error(pod.message), { statusCode: pod.code }));
        version = pod.metadata?.resourceVersion ?? version;
        if (type !== 'BOOKMARK') this.report(pod, type === 'DELETED');
      },
      (error: unknown) => {
        // A quiet watch ends after 30 s without a byte, which is no error.
        if (error === null || error === undefined || isTimeout(error)) ended.resolve();
        else ended.reject(error instanceof Error ? error : new Error('the watch failed', { cause: error }));
      },
    );
    const abort = () => controller.abort();
    this.end.signal.addEventListener('abort', abort);
    if (this.end.signal.aborted) abort();
    try {
      await ended.promise;
    } finally {
      this.end.signal.removeEventListener('abort', abort);
      controller.abort();
    }
    return version;
  }

  private report(pod: V1Pod, isDeleted: boolean): void {
    const { name = '', labels = {} } = pod.metadata ?? {};
    const job = labels[JOB_LABEL] ?? labels['job-name'] ?? '';
    if (isDeleted) this.pods.delete(name);
    else this.pods.set(name, { job, pod });
    this.listeners.get(job)?.(isDeleted ? null : pod);
  }
}

const isTimeout = (error: unknown): boolean => (error as Error).name === 'TimeoutError';
