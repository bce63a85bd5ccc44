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

/** The gateway last: once it listens, everything behind it answers. */
const SERVICES = [auth, workflows, runs, datasets, billing, notifications];
/** How long the other services may take to close after the worker. */
const REST_TIMEOUT_MS = 5_000;

/** All services in one process, for small machines: the same modules, with one health port for all. */
async function startAll(source: ProcessEnv, health?: HealthServer): Promise<RunningService> {
  const shared = { ...source, PUBLIC_URL: source['PUBLIC_URL'] || ownUrl(source) };
  const started = await Promise.all([worker, ...SERVICES].map((start) => start(shared, health)));
  const [workers, ...rest] = started;
  const entry = await gateway(source, health);
  return {
    ...(workers?.shutdownTimeoutMs !== undefined && { shutdownTimeoutMs: workers.shutdownTimeoutMs + REST_TIMEOUT_MS }),
    close: async () => {
      // The worker finishes its running steps, and reports them to the others.
      await Promise.all([entry.close(), workers?.close()]);
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
