import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import { METRICS_CONTENT_TYPE, renderMetrics } from '@millrace/telemetry/metrics/registry';
import { VERSION } from '../version.js';
import { ServiceHealth } from './service-health.js';

/** A response of the health port. A text is sent with `type`, anything else as JSON. */
export interface HealthResponse {
  status: number;
  type?: string;
  body: unknown;
}

/** @param path of the request, without its query */
export type HealthRoute = (path: string) => HealthResponse | Promise<HealthResponse>;

/**
 * The HTTP server of a process for its orchestrator and its monitoring, on a port of its own:
 * - `GET /health/live`: 200 while the event loop runs. It checks nothing else, so an outage of a server restarts nobody.
 * - `GET /health/startup`: 200 once every service of the process has started.
 * - `GET /health/ready`: 200 if every service of the process accepts work and has what it needs.
 * - `GET /metrics`: the metrics of the process for Prometheus.
 *
 * Services add further routes. It listens before the services start, so that probes distinguish a slow start from a dead process.
 */
export class HealthServer {
  private readonly services: ServiceHealth[] = [];
  private readonly routes: { path: string; respond: HealthRoute }[] = [];
  private server?: Server;

  constructor() {
    this.addRoute('/health/live', () => ({ status: 200, body: { status: 'ok' } }));
    this.addRoute('/health/startup', () => this.readStartup());
    this.addRoute('/health/ready', () => this.readReadiness());
    this.addRoute('/metrics', async () => ({ status: 200, type: METRICS_CONTENT_TYPE, body: await renderMetrics() }));
  }

  /** Adds a service, which is `starting` until it is set ready. */
  add(service: ServiceName): ServiceHealth {
    const health = new ServiceHealth(service);
    this.services.push(health);
    return health;
  }

  /** @param path exact, or a prefix if it ends with a slash */
  addRoute(path: string, respond: HealthRoute): void {
    this.routes.push({ path, respond });
  }

  setDraining(): void {
    for (const service of this.services) service.setDraining();
  }

  readStartup(): HealthResponse {
    const isStarted = this.services.length > 0 && this.services.every((service) => service.hasStarted);
    return { status: isStarted ? 200 : 503, body: { status: isStarted ? 'ok' : 'starting', version: VERSION } };
  }

  /** Whether each service of the process is ready. */
  readServices(): Promise<{ service: ServiceName; isReady: boolean }[]> {
    return Promise.all(
      this.services.map(async (health) => ({
        service: health.service,
        isReady: (await health.readReadiness()).status === 'ok',
      })),
    );
  }

  async readReadiness(): Promise<HealthResponse> {
    const reports = this.services.map(async (health) => [health.service, await health.readReadiness()] as const);
    const services = Object.fromEntries(await Promise.all(reports));
    const problem = Object.values(services).find((one) => one.status !== 'ok')?.status;
    const status = problem ?? (this.services.length > 0 ? 'ok' : 'starting');
    return { status: status === 'ok' ? 200 : 503, body: { status, version: VERSION, services } };
  }

  /** @throws Error if the port is in use */
  async listen(port: number): Promise<void> {
    this.server = createServer((request, response) => void this.handle(request, response)).listen(port);
    await once(this.server, 'listening');
  }

  close(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, type = 'application/json', body } = await this.respondTo(request);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
    response.end(request.method === 'HEAD' ? undefined : text);
  }

  private async respondTo({ method, url = '/' }: IncomingMessage): Promise<HealthResponse> {
    const path = url.split('?', 1)[0] ?? '/';
    if (method !== 'GET' && method !== 'HEAD')
      return { status: 405, body: { code: 'method_not_allowed', message: 'This port serves GET and HEAD only.' } };
    const route = this.routes.find((one) => one.path === path || (one.path.endsWith('/') && path.startsWith(one.path)));
    if (!route) {
      const paths = this.routes.map((one) => one.path).join(', ');
      return { status: 404, body: { code: 'not_found', message: `This port serves ${paths}.` } };
    }
    try {
      return await route.respond(path);
    } catch (error) {
      return { status: 503, body: { code: 'unavailable', message: (error as Error).message } };
    }
  }
}
