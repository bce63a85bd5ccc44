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
import { createParts } from './loads/create-parts.js';
import { toLoad } from './loads/to-load.js';

/** How long the answer waits for rows to be there, and how often it looks, in milliseconds. */
const [WAIT_MS, LOOK_MS] = [10_000, 50];
/** Before the request's deadline, so that the answer arrives. */
const SPARE_MS = 1_000;

/** Rows that somebody uploads: a load of the table's source 0. */
@Controller()
export class AppendRowsController {
  constructor(
    private readonly database: Database,
    @Inject(DATASETS_ENV) private readonly env: DatasetsEnv,
  ) {}

  @OperationHandler(admitRows)
  async admit({ body }: Input<typeof admitRows>, context: Context): Promise<Result<typeof admitRows>> {
    await findForRows(this.database.client, body.dataset, context);
    return { max_bytes: this.env.LOAD_MAX_UNPACKED_BYTES };
  }

  @OperationHandler(appendRows)
  async append({ params, body }: Input<typeof appendRows>, context: Context): Promise<Result<typeof appendRows>> {
    if (body.size === 0) throw new ValidationError({ body: 'is empty' });
    const limit = findContentLimit(body.size, 'identity', toLoadLimits(this.env));
    // What is packed only becomes larger.
    if (body.size > limit.maxBytes) throw tooLarge(limit.createError().message);
    const begun = await this.database.transaction(async (tx) => {
      const dataset = await findDataset(tx, params.id, context);
      const held = await tx.$queryRaw<unknown[]>`
        SELECT 1 FROM datasets.dataset WHERE id = ${dataset.id}::uuid FOR KEY SHARE`;
      if (held.length === 0) throw new NotFoundError('Live Table');
      const load = await tx.load.create({
        data: {
          ...{ datasetId: dataset.id, vaultId: dataset.vaultId, source: 0, author: context.caller.user },
          ...{ status: 'READING', startedAt: new Date() },
        },
      });
      const { format, encoding, sha256, size } = body;
      const part = { outputId: null, subjobId: null, taskIndex: null, path: '', sha256, size, format, encoding };
      await createParts(tx, load, [part]);
      return toLoad(tx, load);
    });
    return this.wait(BigInt(begun.id), Math.min(Date.now() + WAIT_MS, context.envelope.deadline - SPARE_MS));
  }

  private async wait(id: bigint, until: number): Promise<Result<typeof appendRows>> {
    const { client } = this.database;
    for (;;) {
      const load = await client.load.findUnique({ where: { id } });
      // It went with its table.
      if (!load) throw new NotFoundError('Live Table');
      const isOver = load.status === 'COMPLETED' || load.status === 'FAILED';
      // The client may send less, which it learns from the status; the load itself says the same.
      if (load.status === 'FAILED' && isTooLarge(load.error)) throw tooLarge(load.error ?? '');
      if (isOver || Date.now() > until) return toLoad(client, load);
      await sleep(LOOK_MS);
    }
  }
}

const tooLarge = (message: string): ApiError => new ApiError('payload_too_large', message);

/** @throws NotFoundError, ForbiddenError */
async function findForRows(client: Database['client'], id: string, context: Context): Promise<void> {
  const where = { id, ...inVault(context.caller) };
  const found = isId(id) ? await client.dataset.findFirst({ where, select: { spaceId: true } }) : null;
  if (!found) throw new NotFoundError('Live Table');
  context.requireSpaceRole(found.spaceId, 'Live Table', 'space.edit');
}
