import { start as auth } from '@millrace/auth/start';
import { start as billing } from '@millrace/billing/start';
import { start as datasets } from '@millrace/datasets/start';
import { start as gateway } from '@millrace/gateway/start';
import { start as notifications } from '@millrace/notifications/start';
import { start as runs } from '@millrace/runs/start';
import type { HealthServer } from '@millrace/service/health/health-server';
import type { ProcessEnv } from '@millrace/service/startup/env';
import { runUntilSignal, type RunningService } from '@millrace/service/startup/run-until-signal';
import { start as worker } from '@millrace/worker/start';
import { start as workflows } from '@millrace/workflows/start';

const SERVICES = { auth, workflows, runs, datasets, billing, notifications };
/** How long the other services may take to close after the worker. */
const REST_TIMEOUT_MS = 5_000;

/**
 * All services in one process, for small machines: the same modules, with one health port for all. Those of
 * `SEPARATE_SERVICES` have a process of their own.
 */
async function startAll(source: ProcessEnv, health?: HealthServer): Promise<RunningService> {
  const separate = new Set((source['SEPARATE_SERVICES'] ?? '').split(','));
  const shared = { ...source, PUBLIC_URL: source['PUBLIC_URL'] || ownUrl(source) };
  const others = Object.entries(SERVICES).flatMap(([name, start]) => (separate.has(name) ? [] : [start]));
  const [workers, ...rest] = await Promise.all([
    separate.has('worker') ? null : worker(shared, health),
    ...others.map((start) => start(shared, health)),
  ]);
  // The gateway last: once it listens, everything behind it answers.
  const entry = separate.has('gateway') ? null : await gateway(source, health);
  return {
    ...(workers?.shutdownTimeoutMs !== undefined && { shutdownTimeoutMs: workers.shutdownTimeoutMs + REST_TIMEOUT_MS }),
    close: async () => {
      // The worker finishes its running steps, and reports them to the others.
      await Promise.all([entry?.close(), workers?.close()]);
      await Promise.all(rest.map((running) => running.close()));
    },
  };
}

/** Base URL of links in mails unless PUBLIC_URL is set. The gateway itself uses the URL of each request. */
function ownUrl({ HOST = '127.0.0.1', PORT = '8080' }: ProcessEnv): string {
  const host = ['0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`;
}

await runUntilSignal('single', startAll, process.env);
