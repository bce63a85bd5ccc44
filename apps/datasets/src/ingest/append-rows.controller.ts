import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Inject } from '@nestjs/common';
import { admitRows, appendRows } from '@millrace/contracts/datasets/rows';
import { ApiError, NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';
import { findDataset } from '../datasets/find-dataset.js';
import { DATASETS_ENV, toLoadLimits, type DatasetsEnv } from '../env.js';
import { findContentLimit, isTooLarge } from './content/load-limits.js';
import { createParts } from './loads/create-loads.js';
import { isFinished, LOAD_TRANSITIONS } from './loads/load-transitions.js';
import { toLoad } from './loads/to-load.js';

/** How long a response waits for the rows to be in the table, and how often it reads the load's status. */
const MAX_WAIT_MS = 10_000;
const POLL_INTERVAL_MS = 50;
/** Time before the request's deadline that is left for the response to arrive. */
const RESPONSE_MARGIN_MS = 1_000;

/** Rows that a user uploads. They become a load of the table's source 0. */
@Controller()
export class AppendRowsController {
  constructor(
    private readonly database: Database,
    @Inject(DATASETS_ENV) private readonly env: DatasetsEnv,
  ) {}

  @OperationHandler(admitRows)
  async admit({ body }: Input<typeof admitRows>, context: Context): Promise<Result<typeof admitRows>> {
    await requireEditableDataset(this.database.client, body.dataset, context);
    return { max_bytes: this.env.LOAD_MAX_UNPACKED_BYTES };
  }

  @OperationHandler(appendRows)
  async append({ params, body }: Input<typeof appendRows>, context: Context): Promise<Result<typeof appendRows>> {
    if (body.size === 0) throw new ValidationError({ body: 'must contain at least one row (got 0 bytes)' });
    const limit = findContentLimit(body.size, 'identity', toLoadLimits(this.env));
    // Compressed content only grows when it is unpacked.
    if (body.size > limit.maxBytes) throw payloadTooLarge(limit.createError().message);
    const created = await this.database.transaction(async (tx) => {
      const dataset = await findDataset(tx, params.id, context);
      const locked = await tx.$queryRaw<unknown[]>`
        SELECT 1 FROM datasets.dataset WHERE id = ${dataset.id}::uuid FOR KEY SHARE`;
      if (locked.length === 0) throw new NotFoundError(`Live Table ${dataset.id}`);
      const load = await tx.load.create({
        data: {
          ...{ datasetId: dataset.id, vaultId: dataset.vaultId, source: 0, author: context.caller.user },
          ...{ status: LOAD_TRANSITIONS.createForUpload.to, startedAt: new Date() },
        },
      });
      const { format, encoding, sha256, size } = body;
      const part = { outputId: null, subjobId: null, taskIndex: null, path: '', sha256, size, format, encoding };
      await createParts(tx, load, [part]);
      return toLoad(tx, load);
    });
    const until = Math.min(Date.now() + MAX_WAIT_MS, context.envelope.deadline - RESPONSE_MARGIN_MS);
    return this.waitUntilFinished(BigInt(created.id), params.id, until);
  }

  private async waitUntilFinished(id: bigint, dataset: string, until: number): Promise<Result<typeof appendRows>> {
    const { client } = this.database;
    for (;;) {
      const load = await client.load.findUnique({ where: { id } });
      // The load was deleted with its table.
      if (!load) throw new NotFoundError(`Live Table ${dataset}`);
      // The caller can send less, so the limit is the error of this request and not only of the load.
      if (load.status === 'FAILED' && isTooLarge(load.error)) throw payloadTooLarge(load.error ?? '');
      if (isFinished(load.status) || Date.now() > until) return toLoad(client, load);
      await sleep(POLL_INTERVAL_MS);
    }
  }
}

const payloadTooLarge = (message: string): ApiError => new ApiError('payload_too_large', message);

/** @throws NotFoundError, ForbiddenError */
async function requireEditableDataset(client: Database['client'], id: string, context: Context): Promise<void> {
  const where = { id, ...inVault(context.caller) };
  const found = isId(id) ? await client.dataset.findFirst({ where, select: { spaceId: true } }) : null;
  if (!found) throw new NotFoundError(`Live Table ${id}`);
  context.requireSpaceRole(found.spaceId, `Live Table ${id}`, 'space.edit');
}
