import { Injectable } from '@nestjs/common';
import { ValidationError, type ErrorDetails } from '@millrace/contracts/kit/api-error';
import { BUILT_IN_VARIABLES } from '@millrace/contracts/workflows/secrets';
import type { Plan } from '@millrace/graph/plan/plan';
import { inputName, resolveRunInputs } from '@millrace/graph/run/resolve-run-inputs';
import { describeUndefinedVariables } from '@millrace/graph/variables/describe-undefined-variables';
import { listPlanVariables, listSecretVariables } from '@millrace/graph/variables/list-plan-variables';
import type { Context } from '@millrace/messaging/rpc/context';
import { Database } from '@millrace/persistence/database';
import type { Workflow } from '@millrace/persistence/generated/client';
import { checkStartable } from '../running/check-startable.js';
import { SecretMasker, type MaskedInputs } from '../secrets/masking/secret-masker.js';
import { listUndefinedKeys } from '../secrets/runs/requested-variables.js';
import { StoredValuesChecker } from '../validation/stored-values-checker.js';
import type { ScheduleDefinition } from './timetable/read-schedule-definition.js';

const INPUTS_FIELD = 'body.inputs';

/** Refuses schedules that could not start a run, because all their ticks would be refused. */
@Injectable()
export class ScheduleChecker {
  constructor(
    private readonly database: Database,
    private readonly masker: SecretMasker,
    private readonly storedValues: StoredValuesChecker,
  ) {}

  /**
   * @returns the inputs as users see them
   * @throws ValidationError if the caller could not start a run with the latest version and these inputs. Stored files
   *   may be uploaded later, so whether they exist is checked at each start.
   */
  async check(workflow: Workflow, { enabled, inputs }: ScheduleDefinition, context: Context): Promise<MaskedInputs> {
    if (!enabled && Object.keys(inputs).length === 0) return { given: {}, masked: [] };
    const { vault, user } = context.caller;
    await this.refuseMasked(workflow.id, inputs);
    const plan = await checkStartable(this.database.client, vault, workflow, { inputs, field: INPUTS_FIELD });
    const variables = {
      vault,
      space: workflow.spaceId,
      user,
      ...listSecretVariables(listPlanVariables(plan), BUILT_IN_VARIABLES),
    };
    const { values, providedIds } = resolveRunInputs(plan, inputs);
    if (enabled) {
      const missing = await listUndefinedKeys(this.database.client, variables);
      refuse(
        describeUndefinedVariables(plan, providedIds, missing),
        'The workflow uses secret variables that are not defined.',
      );
      refuse(
        await this.findUnreadable(plan, values, context),
        'The inputs name outputs that do not exist or that you may not read.',
      );
    }
    return this.masker.maskInputs(inputs, variables);
  }

  /** A client may send back the masked text that `GET` returns, which is not the value. */
  private async refuseMasked(workflowId: string, inputs: ScheduleDefinition['inputs']): Promise<void> {
    const current = await this.database.client.schedule.findUnique({ where: { workflowId } });
    const { given = {}, masked = [] } = (current?.shownInputs ?? {}) as Partial<MaskedInputs>;
    const details: ErrorDetails = {};
    for (const key of masked) {
      if (inputs[key] !== given[key]) continue;
      details[`${INPUTS_FIELD}.${key}`] = 'contains *** in place of a secret, as GET shows it; send the full value';
    }
    refuse(details, 'Some inputs are masked; send their full values.');
  }

  private async findUnreadable(
    plan: Plan,
    values: ScheduleDefinition['inputs'],
    context: Context,
  ): Promise<ErrorDetails> {
    const urls = Object.entries(values).flatMap(([id, value]) => {
      const isStored = ['FILE', 'FOLDER'].includes(plan.primitives[id]?.type ?? '');
      return isStored && typeof value === 'string' ? [{ id, url: value }] : [];
    });
    const unreadable = await this.storedValues.findUnreadableOutputs(
      urls.map(({ url }) => url),
      context,
    );
    const details: ErrorDetails = {};
    for (const { id, url } of urls) {
      if (!unreadable.has(url)) continue;
      details[`${INPUTS_FIELD}.${inputName(plan, id)}`] =
        `is set to ${url}, which does not exist or which you may not read`;
    }
    return details;
  }
}

function refuse(details: ErrorDetails, message: string): void {
  if (Object.keys(details).length > 0) throw new ValidationError(details, message);
}
