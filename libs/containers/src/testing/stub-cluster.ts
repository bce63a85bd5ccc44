import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import { KubeConfig, type V1Job, type V1PodSpec } from '@kubernetes/client-node';
import { WebSocketServer } from 'ws';
import { serveExec } from './serve-exec.js';
import { makeImages } from './stub-images.js';
import { type StoredPod, StubPod } from './stub-pod.js';
import { type StoredObject, StubStore } from './stub-store.js';

type StoredJob = V1Job & StoredObject;

export interface StubClusterOptions {
  /** PEM texts: an authority, and a certificate of 127.0.0.1 with its key. */
  certificates: { ca: string; cert: string; key: string };
  /** Path of a static busybox, which the image of the worker has. */
  busybox: string;
  /** Checks an object by the schema of its API. @returns one text for each problem, and for each unknown field */
  findProblems: (object: StoredObject) => string[];
}

export interface RecordedRequest {
  method: string;
  path: string;
  body: unknown;
}

const NAMESPACE = 'millrace-steps';
const TOKEN = 'token of the stub';
const JOBS = `/apis/batch/v1/namespaces/${NAMESPACE}/jobs`;
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;

/**
 * An API server for tests, with a Job controller, and a kubelet that runs pods as processes in bubblewrap. It records all
 * requests, refuses objects that their schema does not allow, and has the faults of a real one on request.
 */
export class StubCluster {
  readonly requests: RecordedRequest[] = [];
  readonly pods = new Map<string, StubPod>();
  readonly podStore = new StubStore<StoredPod>();
  readonly jobStore = new StubStore<StoredJob>();
  /** Verbs and resources that the worker may not use, such as `create jobs`. */
  readonly denied = new Set<string>();
  /** If set, the Job controller makes no pods, and reports this. */
  podsRefused: string | null = null;
  minorVersion = '33';
  private readonly server;
  private readonly sockets = new Set<Socket>();
  private readonly images;
  private isDown = false;

  private constructor(private readonly options: StubClusterOptions) {
    const { cert, key } = options.certificates;
    this.images = makeImages(options.busybox);
    this.server = createServer({ cert, key }, (request, response) => void this.handle(request, response));
    this.server.on('connection', (socket: Socket) => {
      if (this.isDown) return socket.destroy();
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
    const webSockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'v5.channel.k8s.io' });
    this.server.on('upgrade', (request: IncomingMessage, socket, head) => {
      const url = this.record(request, null);
      const name = /\/pods\/([^/]+)\/exec$/.exec(url.pathname)?.[1] ?? '';
      const container = this.pods.get(name)?.containers.get(url.searchParams.get('container') ?? '');
      if (!container) return void socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
      webSockets.handleUpgrade(request, socket, head, (opened) => {
        void serveExec(opened, container, url.searchParams.getAll('command'));
      });
    });
  }

  static async start(options: StubClusterOptions): Promise<StubCluster> {
    const cluster = new StubCluster(options);
    cluster.server.listen(0, '127.0.0.1');
    await once(cluster.server, 'listening');
    return cluster;
  }

  get config(): KubeConfig {
    const { port } = this.server.address() as AddressInfo;
    const caData = Buffer.from(this.options.certificates.ca).toString('base64');
    const config = new KubeConfig();
    config.loadFromOptions({
      clusters: [{ name: 'stub', server: `https://127.0.0.1:${port}`, caData, skipTLSVerify: false }],
      users: [{ name: 'worker', token: TOKEN }],
      contexts: [{ name: 'stub', cluster: 'stub', user: 'worker', namespace: NAMESPACE }],
      currentContext: 'stub',
    });
    return config;
  }

  /** The one pod that exists. */
  get pod(): StubPod {
    const [pod] = this.pods.values();
    if (!pod) throw new Error('The stub has no pod.');
    return pod;
  }

  /** Closes all connections, and refuses new ones for a while. */
  failFor(ms: number): void {
    this.isDown = true;
    for (const socket of this.sockets) socket.destroy();
    setTimeout(() => (this.isDown = false), ms);
  }

  /** Deletes all Jobs, as somebody else than their worker. */
  deleteJobs(): void {
    for (const { metadata } of this.jobStore.list()) this.deleteJob(metadata.name);
  }

  async close(): Promise<void> {
    this.deleteJobs();
    await Promise.all([...this.pods.values()].map((pod) => pod.lose()));
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private record(request: IncomingMessage, body: unknown): URL {
    const url = new URL(request.url ?? '/', 'https://stub');
    this.requests.push({ method: request.method ?? '', path: url.pathname + url.search, body });
    return url;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = request.method === 'POST' ? await json(request) : null;
    const url = this.record(request, body);
    const respond = (code: number, content: object) => {
      response.writeHead(code, { 'content-type': 'application/json' });
      response.end(JSON.stringify(content));
    };
    const refuse = (code: number, message: string) =>
      respond(code, { kind: 'Status', status: 'Failure', code, message });
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return refuse(401, 'Unauthorized');
    const selector = url.searchParams.get('labelSelector');
    const route = `${request.method} ${url.pathname}`;
    if (/^GET \/version\/?$/.test(route))
      return respond(200, { major: '1', minor: this.minorVersion, gitVersion: 'stub' });
    if (route === 'POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews') return respond(201, this.review(body));
    if (route === `POST ${JOBS}`) return this.createJob(body as StoredJob, url, respond, refuse);
    if (route === `GET ${JOBS}`) return respond(200, this.jobStore.describe('JobList', 'batch/v1', selector));
    if (route === `GET ${PODS}`) {
      if (url.searchParams.get('watch') !== 'true')
        return respond(200, this.podStore.describe('PodList', 'v1', selector));
      return this.podStore.watch(response, url.searchParams.get('resourceVersion') ?? '', selector);
    }
    if (route === `GET /apis/events.k8s.io/v1/namespaces/${NAMESPACE}/events`) {
      const events = this.podsRefused === null ? [] : [{ note: this.podsRefused, eventTime: null, metadata: {} }];
      return respond(200, { kind: 'EventList', apiVersion: 'events.k8s.io/v1', metadata: {}, items: events });
    }
    const name = url.pathname.startsWith(`${JOBS}/`) ? url.pathname.slice(JOBS.length + 1) : '';
    if (request.method !== 'DELETE' || !this.jobStore.get(name)) return refuse(404, `${route} not found`);
    this.deleteJob(name);
    return respond(200, { kind: 'Status', status: 'Success' });
  }

  private review(body: unknown): object {
    const { spec } = body as { spec: { resourceAttributes: { verb: string; resource: string; subresource?: string } } };
    const { verb, resource, subresource } = spec.resourceAttributes;
    const action = `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`}`;
    return { ...(body as object), status: { allowed: !this.denied.has(action) } };
  }

  private createJob(
    job: StoredJob,
    url: URL,
    respond: (code: number, content: object) => void,
    refuse: (code: number, message: string) => void,
  ): void {
    if (url.searchParams.get('fieldValidation') !== 'Strict')
      return refuse(400, 'the worker must request strict validation');
    const problems = this.options.findProblems(job);
    if (problems.length > 0) return refuse(422, `Job is invalid: ${problems.join('; ')}`);
    const { name } = job.metadata;
    if (this.jobStore.get(name)) return refuse(409, `jobs.batch "${name}" already exists`);
    job.metadata.uid = randomUUID();
    this.jobStore.put(job);
    respond(201, job);
    if (this.podsRefused === null) this.createPod(job);
  }

  private createPod({ metadata, spec }: StoredJob): void {
    const name = `${metadata.name}-${randomBytes(3).toString('hex')}`;
    const labels = { ...spec?.template.metadata?.labels, 'batch.kubernetes.io/job-name': metadata.name };
    const object: StoredPod = {
      ...{ apiVersion: 'v1', kind: 'Pod', spec: spec?.template.spec as V1PodSpec },
      metadata: { name, namespace: NAMESPACE, labels, uid: randomUUID() },
    };
    const pod = new StubPod(object, {
      images: this.images,
      nodeLabels: { 'kubernetes.io/os': 'linux' },
      publish: (changed) => this.podStore.put(changed),
      remove: (removed) => {
        this.pods.delete(removed);
        this.podStore.remove(removed);
      },
    });
    this.pods.set(name, pod);
    this.podStore.put(object);
    void pod.run();
    const deadlineMs = (spec?.activeDeadlineSeconds ?? 0) * 1000;
    if (deadlineMs > 0 && deadlineMs < 60_000) setTimeout(() => void pod.delete(), deadlineMs).unref();
  }

  private deleteJob(name: string): void {
    this.jobStore.remove(name);
    for (const pod of this.pods.values()) {
      if (pod.object.metadata.labels?.['batch.kubernetes.io/job-name'] === name) void pod.delete();
    }
  }
}
