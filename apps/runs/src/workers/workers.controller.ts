import { Controller, Logger } from '@nestjs/common';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { workerOrders } from '@millrace/contracts/runs/engine';
import { cordonWorker, drainWorker, getWorker, listWorkers, uncordonWorker } from '@millrace/contracts/runs/workers';
import { Broker } from '@millrace/messaging/broker/broker';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { Dispatcher } from '../engine/dispatch/dispatcher.js';
import { toWorker } from './to-worker.js';
import { WorkerRegistry, type WorkerOrder } from './worker-registry.js';

/** Shows the workers, and decides whether they take work. */
@Controller()
export class WorkersController {
  private readonly logger = new Logger(WorkersController.name);

  constructor(
    private readonly database: Database,
    private readonly broker: Broker,
    private readonly workers: WorkerRegistry,
    private readonly dispatcher: Dispatcher,
  ) {}

  @OperationHandler(listWorkers)
  async list(): Promise<Result<typeof listWorkers>> {
    const { client } = this.database;
    const [rows, busy] = await Promise.all([
      client.worker.findMany({ orderBy: [{ fleet: 'asc' }, { host: 'asc' }, { id: 'asc' }] }),
      client.dispatch.groupBy({ by: ['worker'], _count: true }),
    ]);
    const counts = new Map(busy.map(({ worker, _count }) => [worker, _count]));
    return { results: rows.map((row) => toWorker(row, counts.get(row.id) ?? 0)) };
  }

  @OperationHandler(getWorker)
  async get({ params }: Input<typeof getWorker>): Promise<Result<typeof getWorker>> {
    const { client } = this.database;
    const row = await client.worker.findUnique({ where: { id: params.id } });
    if (!row) throw new NotFoundError(`Worker ${params.id}`);
    return toWorker(row, await client.dispatch.count({ where: { worker: row.id } }));
  }

  @OperationHandler(cordonWorker)
  cordon({ params }: Input<typeof cordonWorker>, context: Context): Promise<Result<typeof cordonWorker>> {
    return this.order(params.id, 'cordoned', context);
  }

  @OperationHandler(uncordonWorker)
  uncordon({ params }: Input<typeof uncordonWorker>, context: Context): Promise<Result<typeof uncordonWorker>> {
    return this.order(params.id, 'active', context);
  }

  @OperationHandler(drainWorker)
  drain({ params }: Input<typeof drainWorker>, context: Context): Promise<Result<typeof drainWorker>> {
    return this.order(params.id, 'draining', context);
  }

  /** The worker gets the order at once; if it does not, its next heartbeat shows that, and the order is repeated. */
  private async order(id: string, desired: WorkerOrder, { caller }: Context): Promise<Result<typeof getWorker>> {
    const changed = await this.database.client.worker.updateMany({ where: { id }, data: { desired } });
    if (changed.count === 0) throw new NotFoundError(`Worker ${id}`);
    this.logger.log({ message: 'Worker ordered', worker: id, state: desired, user: caller.user });
    this.workers.forgetFleets();
    this.broker.publish(workerOrders, { worker: id, state: desired });
    this.dispatcher.wake();
    return this.get({ params: { id }, query: {}, body: {} });
  }
}
