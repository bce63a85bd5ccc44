import type { z } from 'zod';
import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Database } from '@millrace/persistence/database';
import type { Run } from '@millrace/persistence/generated/client';

/**
 * Parses a request of a worker. Workers run users' code, so their requests are not trusted; the gateway has parsed all others.
 * @throws ValidationError
 */
export function parseWorkerBody<Body extends z.ZodType>(operation: { body: Body }, body: unknown): z.output<Body> {
  const { data, error } = operation.body.safeParse(body);
  if (error) throw new ValidationError({ body: error.message });
  return data;
}

export type DispatchedRun = Run & { dispatchedPlan: string };

/**
 * Returns the run of a worker's dispatch, and the plan of that dispatch, which may be older than the run's. A dispatch that no worker has reported on yet is claimed for this worker, as if it
 * had reported a first step.
 * @throws NotFoundError if another worker has claimed the dispatch, or if it was cancelled
 */
export async function claimDispatch(database: Database, dispatch: string, worker: string): Promise<DispatchedRun> {
  if (!/^\d{1,18}$/.test(dispatch)) throw new NotFoundError(`Dispatch ${dispatch}`);
  const id = BigInt(dispatch);
  await database.client.$executeRaw`
    UPDATE runs.dispatch SET worker = ${worker}, claimed_at = now() WHERE id = ${id} AND worker IS NULL AND NOT cancelled`;
  const claimed = await database.client.dispatch.findFirst({
    where: { id, worker, cancelled: false },
    include: { run: true },
  });
  if (!claimed) throw new NotFoundError(`Dispatch ${dispatch}`);
  const { run, plan } = claimed;
  return { ...run, dispatchedPlan: plan ?? run.plan };
}
