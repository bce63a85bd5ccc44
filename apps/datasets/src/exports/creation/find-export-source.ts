import type { createExport } from '@millrace/contracts/datasets/exports';
import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { View } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';
import { findDataset, type FullDataset } from '../../datasets/find-dataset.js';

type Asked = Input<typeof createExport>['body'];

export interface ExportSource {
  dataset: FullDataset;
  view: View | null;
}

/** The table that an export is of, with the view where it is of one. @throws ValidationError, NotFoundError, ForbiddenError */
export async function findExportSource(
  tx: Pick<Transaction, 'dataset' | 'view'>,
  asked: Asked,
  context: Context,
): Promise<ExportSource> {
  if ((asked.view === undefined) === (asked.dataset === undefined)) {
    throw new ValidationError({
      'body.view': 'give one of view and dataset',
      'body.dataset': 'give one of view and dataset',
    });
  }
  if (asked.dataset !== undefined) return { dataset: await findDataset(tx, asked.dataset, context), view: null };
  const id = asked.view ?? '';
  const view = isId(id) ? await tx.view.findFirst({ where: { id, ...inVault(context.caller) } }) : null;
  if (!view) throw new NotFoundError('View');
  return { dataset: await findDataset(tx, view.datasetId, context), view };
}
