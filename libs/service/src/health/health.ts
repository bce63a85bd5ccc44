import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, type Type } from '@nestjs/common';
import { healthChecks, type Health } from '@millrace/contracts/kit/health';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';

/** Dependencies of a service by name; a check rejects if the dependency is unavailable. */
export type HealthChecks = Record<string, () => Promise<unknown>>;

/**
 * A check that takes longer counts as failed. A caller of `healthChecks` needs a much longer timeout than this, or the
 * response that names the dependency arrives too late.
 */
export const HEALTH_CHECK_TIMEOUT_MS = 1_000;

/** Finds what an operator should look at although the service works. */
export type FindWarnings = () => Promise<Record<string, string>>;

/** Runs all checks at once. */
export async function checkHealth(checks: HealthChecks, findWarnings?: FindWarnings): Promise<Health> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await runCheck(check)] as const),
  );
  const isOk = results.every(([, outcome]) => outcome === 'ok');
  // Without its dependencies a service finds nothing.
  const warnings = isOk ? await findWarnings?.().catch(() => undefined) : undefined;
  return {
    status: isOk ? 'ok' : 'unavailable',
    checks: Object.fromEntries(results),
    ...(warnings && Object.keys(warnings).length > 0 && { warnings }),
  };
}

async function runCheck(check: () => Promise<unknown>): Promise<string> {
  try {
    const timeout = sleep(HEALTH_CHECK_TIMEOUT_MS, 'did not respond', { ref: false });
    return await Promise.race([check().then(() => 'ok'), timeout]);
  } catch (error) {
    return (error as Error).message.split('\n').at(-1) ?? 'failed';
  }
}

/** Creates a controller that handles the health check of the service. */
export function healthController(
  service: Exclude<ServiceName, 'gateway'>,
  checks: HealthChecks,
  findWarnings?: FindWarnings,
): Type {
  @Controller()
  class HealthController {
    @OperationHandler(healthChecks[service])
    check(): Promise<Health> {
      return checkHealth(checks, findWarnings);
    }
  }
  return HealthController;
}

/** Serves `GET /health` for an orchestrator: 200 if the service is healthy, otherwise 503. */
export function serveHealth(port: number, checks: HealthChecks, findWarnings?: FindWarnings): Server {
  return createServer((_request, response) => {
    void checkHealth(checks, findWarnings).then((health) => {
      response.writeHead(health.status === 'ok' ? 200 : 503, { 'content-type': 'application/json' });
      response.end(JSON.stringify(health));
    });
  }).listen(port);
}
