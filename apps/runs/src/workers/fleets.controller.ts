import { Controller } from '@nestjs/common';
import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { stepSize, WORKER_LEASE_MS } from '@millrace/contracts/runs/report';
import { deleteFleet, listFleets } from '@millrace/contracts/runs/workers';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { Dispatcher } from '../engine/dispatch/dispatcher.js';
import { FleetBacklog } from './fleet-backlog.js';
import { WorkerRegistry } from './worker-registry.js';

/** Shows the fleets, and forgets those without workers. */
@Controller()
export class FleetsController {
  constructor(
    private readonly database: Database,
    private readonly workers: WorkerRegistry,
    private readonly backlog: FleetBacklog,
    private readonly dispatcher: Dispatcher,
  ) {}

  @OperationHandler(listFleets)
  async list(): Promise<Result<typeof listFleets>> {
    const [{ fleets }, backlogs, counts] = await Promise.all([
      this.workers.readFleets(),
      this.backlog.read(),
      this.countWorkers(),
    ]);
    const results = fleets.map(({ name, labels, sizes, slots }) => {
      const { waiting = 0, oldestSeconds = 0 } = backlogs.get(name) ?? {};
      const { workers = 0, busy = 0 } = counts.get(name) ?? {};
      const work = { workers, slots, busy, waiting, oldest_waiting_seconds: Math.round(oldestSeconds) };
      return { name, labels: { ...labels }, sizes: stepSize.array().parse(sizes), ...work };
    });
    return { results };
  }

  @OperationHandler(deleteFleet)
  async delete({ params: { name } }: Input<typeof deleteFleet>): Promise<null> {
    const workers = (await this.countWorkers()).get(name)?.workers ?? 0;
    if (workers > 0) {
      const problem = `names a fleet with ${workers} connected workers (${name}); stop them first`;
      throw new ValidationError({ 'params.name': problem });
    }
    const { count } = await this.database.client.fleet.deleteMany({ where: { name } });
    if (count === 0) throw new NotFoundError(`Fleet ${name}`);
    this.workers.forgetFleets();
    this.dispatcher.wake();
    return null;
  }

  private async countWorkers(): Promise<Map<string, { workers: number; busy: number }>> {
    const rows = await this.database.client.$queryRaw<{ fleet: string; workers: number; busy: number }[]>`
      SELECT w.fleet, count(DISTINCT w.id)::int AS workers, count(d.id)::int AS busy
      FROM runs.worker w LEFT JOIN runs.dispatch d ON d.worker = w.id
      WHERE w.last_seen >= now() - ${WORKER_LEASE_MS}::int * interval '1 ms' AND w.state <> 'stopped' GROUP BY w.fleet`;
    return new Map(rows.map(({ fleet, ...counts }) => [fleet, counts]));
  }
}
