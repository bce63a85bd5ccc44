import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

export interface RunLoadOptions {
  /** URLs of gateways. The caller may replace them while the load runs. */
  gateways: string[];
  access: string;
  workflow: string;
  /** Pause of each of the two loops, in milliseconds. */
  intervalMs: number;
}

/** Starts runs and reads records through all gateways, as a proxy with two upstreams does, until it is stopped. */
export class RunLoad {
  readonly runs: string[] = [];
  /** Requests that got no response, or another one than expected. */
  readonly problems: string[] = [];
  private isStopped = false;
  private readonly loops: Promise<void>[];

  constructor(private readonly options: RunLoadOptions) {
    this.loops = [0, 1].map((first) => this.repeat(first));
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.loops);
  }

  private async repeat(first: number): Promise<void> {
    for (let iteration = first; !this.isStopped; iteration++) {
      const started = await this.send(iteration, 'POST', `/api/workflows/${this.options.workflow}/runs`, 201);
      if (started) this.runs.push(String(started['id']));
      await this.send(iteration + 1, 'GET', '/api/workflows', 200);
      await sleep(this.options.intervalMs);
    }
  }

  /** A gateway that accepts no connection has not seen the request, so another one gets it. */
  private async send(
    iteration: number,
    method: string,
    path: string,
    status: number,
  ): Promise<Record<string, unknown> | null> {
    const headers = {
      authorization: `Bearer ${this.options.access}`,
      ...(method === 'POST' && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
    };
    const init = { method, headers, ...(method === 'POST' && { body: '{}' }) };
    const { gateways } = this.options;
    for (const offset of [0, 1]) {
      const gateway = gateways[(iteration + offset) % gateways.length] ?? '';
      try {
        const response = await fetch(gateway + path, init);
        const body = (await response.json()) as Record<string, unknown>;
        if (response.status === status) return body;
        this.problems.push(`${method} ${path}: ${response.status} ${JSON.stringify(body)}`);
        return null;
      } catch (error) {
        const { code } = (error as { cause?: { code?: string } }).cause ?? {};
        if (code !== 'ECONNREFUSED' || offset === 1) {
          this.problems.push(`${method} ${path}: ${String(error)} ${code}`);
          return null;
        }
      }
    }
    return null;
  }
}
