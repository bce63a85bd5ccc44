import { Injectable } from '@nestjs/common';
import { ApiError, NotFound, ValidationError, type ErrorDetails } from '@millrace/contracts/kit/api-error';
import type { InputValue } from '@millrace/contracts/runs/dispatch';
import { resolveFile } from '@millrace/contracts/workflows/storage';
import { resolveRunInputs } from '@millrace/graph/resolve-run-inputs';
import { Asker } from '@millrace/messaging/asker';
import type { Context } from '@millrace/messaging/context';
import { Database } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';
import type { PlanIndex } from './plan-index.js';

const FILE = 'millrace://file/';
const OUTPUT = 'millrace://output/';

/** Fits what a run was started with to its workflow's inputs; files are named by their content from here on. */
@Injectable()
export class BringInputs {
  constructor(
    private readonly asker: Asker,
    private readonly database: Database,
  ) {}

  /** @throws ValidationError under `inputs.<key>` for each that is missing, unknown, of the wrong type or not there */
  async bring(
    context: Context,
    plan: PlanIndex,
    given: Record<string, string | boolean>,
  ): Promise<Record<string, InputValue>> {
    const { values, errors } = resolveRunInputs(plan.plan, given);
    const details: ErrorDetails = Object.fromEntries(errors.map(({ port, message }) => [`inputs.${port}`, message]));
    const brought: Record<string, InputValue> = {};
    for (const [id, value] of Object.entries(values)) {
      const type = plan.plan.primitives[id]?.type;
      const isFile = type === 'FILE' || type === 'FOLDER';
      try {
        brought[id] = isFile ? await this.find(context, String(value)) : value;
      } catch (error) {
        if (!(error instanceof ApiError) || error.code === 'internal_error') throw error;
        details[`inputs.${plan.plan.primitives[id]?.label ?? id}`] = error.message;
      }
    }
    if (Object.keys(details).length > 0) throw new ValidationError(details, 'The inputs do not fit the workflow');
    return brought;
  }

  private async find(context: Context, url: string): Promise<InputValue> {
    if (url.startsWith(FILE)) {
      const from = { caller: context.caller, requestId: context.requestId };
      const { name, sha256, size } = await this.asker.ask(resolveFile, { path: url.slice(FILE.length) }, from);
      return { path: name, sha256, size };
    }
    if (url.startsWith(OUTPUT)) return this.findOutput(context, url.slice(OUTPUT.length));
    throw new ValidationError({}, `"${url.slice(0, 100)}" cannot be fetched: use ${FILE}<path> or ${OUTPUT}<id>`);
  }

  private async findOutput(context: Context, id: string): Promise<InputValue> {
    const output = isId(id)
      ? await this.database.client.output.findFirst({
          where: { id, run: inVault(context.caller) },
          include: { run: true },
        })
      : null;
    if (!output) throw new NotFound('Output');
    context.enter(output.run.spaceId, 'Output');
    return { path: output.path.split('/').at(-1) ?? output.path, sha256: output.sha256, size: Number(output.size) };
  }
}
