import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Database } from '@millrace/persistence/database';
import type { Run, Subjob } from '@millrace/persistence/generated/client';
import { inVault } from '@millrace/persistence/tenancy';

/** The run, where the caller may use it as the operation declares. */
export async function findRun(database: Database, context: Context, id: string): Promise<Run> {
  const run = await database.client.run.findFirst({ where: { id: BigInt(id), ...inVault(context.caller) } });
  if (!run) throw new NotFoundError('Run');
  context.requireSpaceRole(run.spaceId, 'Run');
  return run;
}

export async function findSubjob(
  database: Database,
  context: Context,
  params: { id: string; subjobId: string },
): Promise<{ run: Run; subjob: Subjob }> {
  const run = await findRun(database, context, params.id);
  const subjob = await database.client.subjob.findFirst({ where: { id: BigInt(params.subjobId), runId: run.id } });
  if (!subjob) throw new NotFoundError('Subjob');
  return { run, subjob };
}
