import type { Backlog, Health } from '@millrace/contracts/kit/health';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import { VERSION } from '../version.js';
import { runChecks, type HealthChecks } from './run-checks.js';

/** What a service adds to its health once it runs. */
export interface HealthSources {
  /** The dependencies that this service itself needs. */
  checks: HealthChecks;
  /** Finds what an operator should look at although the service works. */
  findWarnings?: () => Promise<Record<string, string>>;
  readBacklog?: () => Promise<Backlog>;
}

/**
 * The health of one service of this process:
 *
 * starting → ready → draining
 */
export class ServiceHealth {
  private phase: 'starting' | 'ready' | 'draining' = 'starting';
  private sources: HealthSources = { checks: {} };

  constructor(readonly service: ServiceName) {}

  get hasStarted(): boolean {
    return this.phase !== 'starting';
  }

  /** The service accepts work from now on. */
  setReady(sources: HealthSources): void {
    this.sources = sources;
    if (this.phase === 'starting') this.phase = 'ready';
  }

  /** The service finishes its work, and accepts no more. */
  setDraining(): void {
    this.phase = 'draining';
  }

  /** Whether the service accepts work, and each dependency with its failure. */
  async readReadiness(): Promise<Health> {
    if (this.phase !== 'ready') return { status: this.phase, version: VERSION, checks: {} };
    const checks = await runChecks(this.sources.checks);
    const isOk = Object.values(checks).every((outcome) => outcome === 'ok');
    return { status: isOk ? 'ok' : 'unavailable', version: VERSION, checks };
  }

  /** The readiness, and what an operator wants to know beyond it. */
  async readReport(): Promise<Health> {
    const readiness = await this.readReadiness();
    // Without its dependencies a service finds nothing.
    if (readiness.status !== 'ok') return readiness;
    const [warnings, backlog] = await Promise.all([
      this.sources.findWarnings?.().catch(() => undefined),
      this.sources.readBacklog?.().catch(() => undefined),
    ]);
    return {
      ...readiness,
      ...(warnings && Object.keys(warnings).length > 0 && { warnings }),
      ...(backlog && { backlog }),
    };
  }
}
