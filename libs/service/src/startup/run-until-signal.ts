import { UntrustedServerError } from '@millrace/persistence/connections/untrusted-server-error';
import { measureProcess } from '@millrace/telemetry/metrics/registry';
import { startTracing } from '@millrace/telemetry/tracing/start-tracing';
import { HealthServer } from '../health/health-server.js';
import { measureReadiness } from '../health/readiness-metrics.js';
import { LogWriter } from '../logging/log-writer.js';
import { createLogger } from '../logging/logger.js';
import { redactText } from '../logging/redact.js';
import { InvalidEnvironmentError, type ProcessEnv } from './env.js';
import { returnMemoryWhenIdle } from './return-memory.js';

export interface RunningService {
  close(): Promise<void>;
  /** After this time in `close` the process exits with code 1; default 14 s. */
  shutdownTimeoutMs?: number;
}

/** Starts a service of this process, which reports its health to the health server. */
export type StartService = (env: ProcessEnv, health?: HealthServer) => Promise<RunningService>;

const SHUTDOWN_TIMEOUT_MS = 14_000;

/** A terminal's Ctrl-C arrives twice if npm or a shell forwards it. Only a later signal is a second one. */
const SAME_SIGNAL_WINDOW_MS = 200;

/** EX_CONFIG of sysexits.h: a restart with the same environment would fail the same way. */
const INVALID_ENVIRONMENT_EXIT_CODE = 78;

/**
 * Starts a process and shuts it down on TERM or INT. A failed start or an uncaught error ends it with code 1, an
 * invalid environment with code 78. A second signal ends it at once. `HEALTH_PORT` serves its health and metrics from before
 * the start to the end. Traces are sent if the environment names a collector.
 * @param name of the process: that of its service, or `single`
 */
export async function runUntilSignal(name: string, start: StartService, env: ProcessEnv): Promise<void> {
  const fail = (error: unknown) => {
    new LogWriter('process', 2).write(`${redactText(describe(error))}\n`);
    process.exit(isInvalidEnvironment(error) ? INVALID_ENVIRONMENT_EXIT_CODE : 1);
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  const health = new HealthServer();
  const warn = (message: string) => createLogger(name, env['LOG_LEVEL'] || 'info').warn(message);
  const stopTracing = await startTracing(`millrace-${name}`, env, warn);
  const running = await startWithHealth(start, env, health).catch(fail);
  if (!running) return;
  returnMemoryWhenIdle();
  let signalledAt: number | null = null;
  const shutDown = () => {
    if (signalledAt !== null) {
      if (performance.now() - signalledAt > SAME_SIGNAL_WINDOW_MS) process.exit(1);
      return;
    }
    signalledAt = performance.now();
    health.setDraining();
    setTimeout(() => process.exit(1), running.shutdownTimeoutMs ?? SHUTDOWN_TIMEOUT_MS).unref();
    void running
      .close()
      .then(stopTracing)
      .then(() => process.exit(0), fail);
  };
  process.on('SIGTERM', shutDown);
  process.on('SIGINT', shutDown);
}

async function startWithHealth(start: StartService, env: ProcessEnv, health: HealthServer): Promise<RunningService> {
  // The service itself rejects a value that is no port.
  const port = /^\d{1,5}$/.test(env['HEALTH_PORT'] ?? '') ? Number(env['HEALTH_PORT']) : undefined;
  if (port !== undefined) {
    measureProcess();
    measureReadiness(health);
    await health.listen(port);
  }
  return start(env, health);
}

function describe(error: unknown): string {
  if (isInvalidEnvironment(error)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const isInvalidEnvironment = (error: unknown): error is Error =>
  error instanceof InvalidEnvironmentError || error instanceof UntrustedServerError;
