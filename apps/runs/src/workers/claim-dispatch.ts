import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Database } from '@millrace/persistence/database';
import type { Run } from '@millrace/persistence/generated/client';

/**
 * The run of a dispatch that a worker has. A dispatch that no worker has reported on yet is this worker's from now on, as
 * if it had reported a first step.
 * @throws NotFoundError if another worker has it, or if it was cancelled
 */
export async function claimDispatch(database: Database, dispatch: string, worker: string): Promise<Run> {
  if (!/^\d{1,18}$/.test(dispatch)) throw new NotFoundError('Dispatch');
  const id = BigInt(dispatch);
  await database.client.$executeRaw`
    UPDATE runs.dispatch SET worker = ${worker}, claimed_at = now() WHERE id = ${id} AND worker IS NULL AND NOT cancelled`;
  const held = await database.client.dispatch.findFirst({
    where: { id, worker, cancelled: false },
    include: { run: true },
  });
  if (!held) throw new NotFoundError('Dispatch');
  return held.run;
}
