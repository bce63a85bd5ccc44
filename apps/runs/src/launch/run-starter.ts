import { Injectable } from '@nestjs/common';
import type { CreationType } from '@millrace/contracts/runs/statuses';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Run } from '@millrace/persistence/generated/client';
import { Engine } from '../engine/engine.js';
import type { PlanIndex } from '../engine/plans/plan-index.js';
import { MaskInputs } from '../inputs/input-masker.js';
import { BringInputs, filesIn } from '../inputs/input-resolver.js';
import { refuseRestricted } from '../restrictions/refuse-restricted.js';
import { Fleet } from '../workers/worker-registry.js';
import { createRun } from './create-run.js';
import { VersionCache } from './version-cache.js';

export interface WantedRun {
  workflow: string;
  /** Absent is the latest. */
  version?: string | undefined;
  inputs: Record<string, string | boolean>;
  /** Contents of FILE inputs, as base64, by id or label. */
  contents?: Record<string, string> | undefined;
  creationType: CreationType;
  parallelism?: number | undefined;
  /** Absent if each node decides. */
  useCache?: boolean | undefined;
  /** That of the workflow where absent. */
  name?: string | undefined;
  timeoutSeconds?: number | undefined;
  /** What starts it by itself, and the schedule that this belongs to; null where somebody asks for it. */
  origin: string | null;
  schedule: string | null;
}

/** Starts a run in the name of the caller, whatever asked for it: a person, a schedule, a webhook. */
@Injectable()
export class StartRun {
  constructor(
    private readonly engine: Engine,
    private readonly versions: VersionCache,
    private readonly inputs: BringInputs,
    private readonly fleet: Fleet,
    private readonly masks: MaskInputs,
  ) {}

  /**
   * @param answer what the run's transaction gives
   * @throws NotFoundError, ForbiddenError; Restricted where the vault may start nothing; ValidationError where the version cannot run or the inputs do not fit it
   */
  async start<T>(context: Context, wanted: WantedRun, answer: (run: Run, plan: PlanIndex) => T): Promise<T> {
    const files = filesIn(wanted.inputs);
    const runnable = await this.versions.load(context, wanted.workflow, wanted.version, files);
    const { workflow, version, plan } = runnable;
    context.requireSpaceRole(workflow.space, 'Workflow', 'space.run');
    const { inputs: given, contents = {} } = wanted;
    const inputs = await this.inputs.bring(context, runnable, given, contents);
    const owner = { ...context.caller, space: workflow.space };
    const shownInputs = await this.masks.show(given, Object.keys(contents), plan, owner, context);
    const slots = await this.fleet.slots();
    const widest = Math.min(plan.plan.widest ?? Infinity, Math.max(1, slots));
    const { user, vault } = context.caller;
    return this.engine.change(async (tx) => {
      await refuseRestricted(tx, vault);
      const run = await createRun(tx, {
        plan,
        vaultId: vault,
        author: user,
        name: wanted.name ?? workflow.name,
        status: slots > 0 ? 'SUBMITTED' : 'PENDING',
        creationType: wanted.creationType,
        workflow,
        version,
        inputs,
        shownInputs,
        parallelism: wanted.parallelism ?? Math.max(1, widest),
        useCache: wanted.useCache,
        deadline: wanted.timeoutSeconds === undefined ? null : new Date(Date.now() + wanted.timeoutSeconds * 1000),
        origin: wanted.origin,
        schedule: wanted.schedule,
      });
      return { runs: new Map(), answer: answer(run, plan) };
    });
  }
}
