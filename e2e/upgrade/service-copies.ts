import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import { eventually } from '@millrace/testkit/eventually';
import type { OwnSystem } from '../support/own-system.js';
import { startCopy, startSecondCopy, type ProcessDescription, type SecondCopy } from '../support/second-copies.js';

export const SERVICES = ['gateway', 'auth', 'workflows', 'runs', 'worker', 'datasets', 'billing', 'notifications'];
const STOP_TIMEOUT_MS = 60_000;

/** The two copies of each service, old ones and their replacements. */
export class ServiceCopies {
  /** URLs of the gateways that a load balancer would send requests to. */
  readonly gateways: string[];
  /** Process ids of the old first copies, which no supervisor restarts. */
  private readonly oldFirst: Map<string, number>;
  private readonly oldSecond: Map<string, SecondCopy>;
  private readonly replacements: SecondCopy[] = [];

  private constructor(
    private readonly system: OwnSystem,
    second: readonly SecondCopy[],
  ) {
    this.oldFirst = new Map(SERVICES.map((service) => [service, system.pidOf(service)]));
    this.oldSecond = new Map(second.map((copy) => [copy.service, copy]));
    this.gateways = [system.url, this.oldSecond.get('gateway')?.url ?? ''];
    process.kill(system.supervisor, 'SIGKILL');
  }

  /** Starts a second copy of each service of a system, and ends its supervisor, so that nothing starts an old process again. */
  static async open(system: OwnSystem): Promise<ServiceCopies> {
    return new ServiceCopies(system, await Promise.all(SERVICES.map((service) => startSecondCopy(system, service))));
  }

  /** Starts a copy of the new release, waits until it is ready, and then stops an old copy, as a Deployment does. */
  async replace(which: 'first' | 'second', description: ProcessDescription): Promise<void> {
    const { name } = description;
    const replacement = await startCopy(this.system, description, `new-${which}`);
    this.replacements.push(replacement);
    if (name === 'gateway') this.gateways.splice(which === 'first' ? 0 : 1, 1, replacement.url);
    await (which === 'first' ? this.stopFirst(name) : this.stopSecond(name));
  }

  /** Stops whatever is still running, except the servers. */
  async stop(): Promise<void> {
    await Promise.all([...this.oldFirst.keys()].map((service) => this.stopFirst(service)));
    await Promise.all([...this.oldSecond.values(), ...this.replacements].map((copy) => copy.stop()));
  }

  private async stopSecond(service: string): Promise<void> {
    await this.oldSecond.get(service)?.stop();
    this.oldSecond.delete(service);
  }

  private async stopFirst(service: string): Promise<void> {
    const pid = this.oldFirst.get(service);
    if (pid === undefined) return;
    this.oldFirst.delete(service);
    process.kill(pid, 'SIGTERM');
    await eventually(() => expect(hasEnded(pid)).toBe(true), { withinMs: STOP_TIMEOUT_MS });
  }
}

/** Whether a process has ended. One that its new parent has not collected yet is a zombie, see proc(5). */
function hasEnded(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return true;
  }
}
