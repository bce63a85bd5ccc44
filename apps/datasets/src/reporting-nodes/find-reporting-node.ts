import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { ReportingNode } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';

const withTable = { dataset: { select: { spaceId: true, solution: { select: { isPublic: true } } } } } as const;

/** Finds a reporting node if the caller has the operation's permission for its table. @throws NotFoundError, ForbiddenError */
export async function findReportingNode(
  client: Pick<Transaction, 'reportingNode'>,
  id: string,
  context: Context,
): Promise<ReportingNode> {
  const where = { id, ...inVault(context.caller) };
  const found = isId(id) ? await client.reportingNode.findFirst({ where, include: withTable }) : null;
  if (!found) throw new NotFoundError(`Reporting node ${id}`);
  const { dataset, ...node } = found;
  context.requireSpaceRoleUnlessPublic(dataset.spaceId, `Reporting node ${id}`, dataset.solution.isPublic);
  return node;
}
