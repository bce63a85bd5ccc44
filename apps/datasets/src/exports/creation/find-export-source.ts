import type { createExport } from '@millrace/contracts/datasets/exports';
import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { View } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';
import { findDataset, type FullDataset } from '../../datasets/find-dataset.js';

type CreateExportBody = Input<typeof createExport>['body'];

export interface ExportSource {
  dataset: FullDataset;
  view: View | null;
}

/** Finds the view or table of an export. @throws ValidationError, NotFoundError, ForbiddenError */
export async function findExportSource(
  tx: Pick<Transaction, 'dataset' | 'view'>,
  body: CreateExportBody,
  context: Context,
): Promise<ExportSource> {
  if ((body.view === undefined) === (body.dataset === undefined)) {
    const problem = 'exactly one of `view` and `dataset` must be set';
    throw new ValidationError({ 'body.view': problem, 'body.dataset': problem });
  }
  if (body.dataset !== undefined) return { dataset: await findDataset(tx, body.dataset, context), view: null };
  const id = body.view ?? '';
  const view = isId(id) ? await tx.view.findFirst({ where: { id, ...inVault(context.caller) } }) : null;
  if (!view) throw new NotFoundError(`View ${id}`);
  return { dataset: await findDataset(tx, view.datasetId, context), view };
}
