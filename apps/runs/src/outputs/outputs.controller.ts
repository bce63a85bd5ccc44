import { Controller } from '@nestjs/common';
import { ForbiddenError, NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import {
  archiveOutputs,
  downloadOutput,
  downloadSigned,
  findReadableOutputs,
  listRunOutputs,
  listSubjobOutputs,
  signOutput,
} from '@millrace/contracts/runs/outputs';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import type { Output } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { inReadableSpaces, inVault } from '@millrace/persistence/tenancy';
import { findRun, findSubjob } from '../runs/find-run.js';
import { LinkSigner } from './link-signer.js';
import { OutputArchive } from './output-archive.js';
import { RunOutputLists } from './run-output-lists.js';
import { toContent } from './to-output.js';

const LINK_LIFETIME_MS = 15 * 60_000;

@Controller()
export class OutputsController {
  constructor(
    private readonly database: Database,
    private readonly lists: RunOutputLists,
    private readonly archive: OutputArchive,
    private readonly links: LinkSigner,
  ) {}

  @OperationHandler(listRunOutputs)
  async listForRun(
    { params, query }: Input<typeof listRunOutputs>,
    context: Context,
  ): Promise<Result<typeof listRunOutputs>> {
    const run = await findRun(this.database, context, params.id);
    return this.lists.listForRun(run, query);
  }

  @OperationHandler(listSubjobOutputs)
  async listForSubjob(
    { params, query }: Input<typeof listSubjobOutputs>,
    context: Context,
  ): Promise<Result<typeof listSubjobOutputs>> {
    const { run, subjob } = await findSubjob(this.database, context, params);
    return this.lists.listForSubjob(run, subjob, query);
  }

  @OperationHandler(archiveOutputs)
  async listForArchive(
    { params, query }: Input<typeof archiveOutputs>,
    context: Context,
  ): Promise<Result<typeof archiveOutputs>> {
    const run = await findRun(this.database, context, params.id);
    return this.archive.list(run, query);
  }

  @OperationHandler(downloadOutput)
  async download({ params }: Input<typeof downloadOutput>, context: Context): Promise<Result<typeof downloadOutput>> {
    return toContent(await this.requireOutput(params.id, context));
  }

  @OperationHandler(signOutput)
  async sign({ params }: Input<typeof signOutput>, context: Context): Promise<Result<typeof signOutput>> {
    const { id } = await this.requireOutput(params.id, context);
    const expires = Date.now() + LINK_LIFETIME_MS;
    const query = new URLSearchParams({ expires: String(expires), signature: this.links.sign(id, expires) });
    const origin = context.envelope.client?.origin ?? '';
    return { url: `${origin}/api/outputs/${id}/signed?${query}`, expires_at: new Date(expires).toISOString() };
  }

  @OperationHandler(downloadSigned)
  async downloadSigned({ params, query }: Input<typeof downloadSigned>): Promise<Result<typeof downloadSigned>> {
    if (!this.links.isValid(params.id, query.expires, query.signature))
      throw new ForbiddenError(
        'The link is invalid or has expired. Create another one with GET /outputs/{id}/signed-url.',
      );
    const where = { id: params.id, run: { deletedAt: null } };
    const output = isId(params.id) ? await this.database.client.output.findFirst({ where }) : null;
    if (!output) throw new NotFoundError(`Output ${params.id}`);
    return toContent(output);
  }

  @OperationHandler(findReadableOutputs)
  async findReadable(
    { body }: Input<typeof findReadableOutputs>,
    { caller }: Context,
  ): Promise<Result<typeof findReadableOutputs>> {
    const where = { id: { in: body.outputs.filter(isId) }, run: { ...inVault(caller), ...inReadableSpaces(caller) } };
    const found = new Set(
      (await this.database.client.output.findMany({ where, select: { id: true } })).map(({ id }) => id),
    );
    return { readable: body.outputs.filter((id) => found.has(id.toLowerCase())) };
  }

  private async requireOutput(id: string, context: Context): Promise<Output> {
    const where = { id, run: inVault(context.caller) };
    const output = isId(id) ? await this.database.client.output.findFirst({ where, include: { run: true } }) : null;
    if (!output) throw new NotFoundError(`Output ${id}`);
    context.requireSpaceRole(output.run.spaceId, `Output ${id}`);
    return output;
  }
}
