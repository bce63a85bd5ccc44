import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Database, Transaction } from '@millrace/persistence/database';
import type { Run, Subjob } from '@millrace/persistence/generated/client';
import { toNumericId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';

/**
 * Finds a run that the caller may use as the operation declares.
 * @throws NotFoundError
 * @throws ForbiddenError
 */
export async function findRun(database: Database, context: Context, id: string): Promise<Run> {
  const run = await database.client.run.findFirst({ where: { id: toNumericId(id), ...inVault(context.caller) } });
  if (!run) throw new NotFoundError(`Run ${id}`);
  context.requireSpaceRole(run.spaceId, `Run ${id}`);
  return run;
}

/**
 * Reads a run for which the caller's role was checked before.
 * @throws NotFoundError if it was deleted in the meantime
 */
export async function readRun(client: Database['client'] | Transaction, id: bigint): Promise<Run> {
  const run = await client.run.findFirst({ where: { id, deletedAt: null } });
  if (!run) throw new NotFoundError(`Run ${id}`);
  return run;
}

export async function findSubjob(
  database: Database,
  context: Context,
  params: { id: string; subjobId: string },
): Promise<{ run: Run; subjob: Subjob }> {
  const run = await findRun(database, context, params.id);
  const subjob = await database.client.subjob.findFirst({ where: { id: toNumericId(params.subjobId), runId: run.id } });
  if (!subjob) throw new NotFoundError(`Subjob ${params.subjobId}`);
  return { run, subjob };
}
