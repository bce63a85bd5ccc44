import { Inject, Injectable, Logger } from '@nestjs/common';
import type { CreationType } from '@millrace/contracts/runs/statuses';
import type { ParamValues } from '@millrace/graph/params/set-params';
import type { Part } from '@millrace/graph/plan/select-part';
import type { Context } from '@millrace/messaging/rpc/context';
import { ContentsGoneError } from '@millrace/persistence/contents-gone-error';
import type { Transaction } from '@millrace/persistence/database';
import type { Run } from '@millrace/persistence/generated/client';
import { listFolderContents } from '../contents/keep-contents.js';
import { Dispatcher } from '../engine/dispatch/dispatcher.js';
import { OutputLists } from '../engine/dispatch/output-lists.js';
import type { PlanIndex } from '../engine/plans/plan-index.js';
import { finishRunIfDone } from '../engine/transaction/finish-run.js';
import type { LockedRuns } from '../engine/transaction/lock-runs.js';
import { LockedRun } from '../engine/transaction/locked-run.js';
import { InputMasker } from '../inputs/input-masker.js';
import { filePathsIn, InputResolver } from '../inputs/input-resolver.js';
import { resolveWithParameters } from '../parameters/resolve-with-parameters.js';
import { requireUnrestricted } from '../restrictions/require-unrestricted.js';
import { requireRoomForRun, VAULT_LIMITS, type VaultLimits } from '../restrictions/vault-limits.js';
import { WorkerRegistry } from '../workers/worker-registry.js';
import { insertRun, type NewRun, type ParentRun } from './insert-run.js';
import { VersionCache, type RunnableVersion } from './version-cache.js';

export interface RunRequest {
  workflow: string;
  /** Absent for the latest version. */
  version?: string | undefined;
  inputs: Record<string, string | boolean>;
  /** Contents of FILE inputs, as base64, by id or label. */
  contents?: Record<string, string> | undefined;
  creationType: CreationType;
  parallelism?: number | undefined;
  /** Absent if each node decides. */
  useCache?: boolean | undefined;
  /** Absent for the workflow's name. */
  name?: string | undefined;
  timeoutSeconds?: number | undefined;
  /** The tick or hook call that starts the run; null if a user does. */
  origin: string | null;
  /** The schedule of the tick. */
  schedule: string | null;
  /** The run whose results it takes over. */
  parent?: ParentRun | undefined;
  /** Absent for the whole workflow. */
  part?: Part | undefined;
  /** Parameters that differ from the version; absent if there are none. */
  parameters?: ParamValues | undefined;
}

/** Starts runs on behalf of the caller: for users, schedules and hooks. */
@Injectable()
export class RunStarter {
  private readonly logger = new Logger(RunStarter.name);

  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly versions: VersionCache,
    private readonly inputs: InputResolver,
    private readonly workers: WorkerRegistry,
    private readonly masker: InputMasker,
    private readonly outputs: OutputLists,
    @Inject(VAULT_LIMITS) private readonly limits: VaultLimits,
  ) {}

  /**
   * @param toResponse makes the response inside the transaction, which makes `Idempotency-Key` exact
   * @throws NotFoundError
   * @throws ForbiddenError
   * @throws RestrictedError if the vault may not start runs
   * @throws ApiError `rate_limited` if the vault has too many active runs
   * @throws ValidationError if the version cannot run, or the inputs or parameters do not match it
   */
  async start<T>(context: Context, request: RunRequest, toResponse: (run: Run, plan: PlanIndex) => T): Promise<T> {
    try {
      return await this.tryStart(context, request, toResponse);
    } catch (error) {
      if (!(error instanceof ContentsGoneError)) throw error;
      // It was unused when it was deleted: a plan in memory, or a file that was replaced a moment ago.
      this.versions.forget();
      return this.tryStart(context, request, toResponse);
    }
  }

  private async tryStart<T>(
    context: Context,
    request: RunRequest,
    toResponse: (run: Run, plan: PlanIndex) => T,
  ): Promise<T> {
    const { inputs: given, contents = {} } = request;
    const { repeated, ...runnable } = await this.load(context, request);
    const { workflow, version, plan } = runnable;
    context.requireSpaceRole(workflow.space, `Workflow ${workflow.id}`, 'space.run');
    const inputs = await resolveWithParameters(this.inputs, context, runnable, request);
    const owner = { ...context.caller, space: workflow.space };
    const shownInputs = await this.masker.maskGiven(given, Object.keys(contents), plan, owner, context);
    const slots = await this.workers.countSlots();
    const { user, vault } = context.caller;
    const newRun: NewRun = {
      plan,
      vaultId: vault,
      author: user,
      name: request.name ?? workflow.name,
      status: slots > 0 ? 'SUBMITTED' : 'PENDING',
      creationType: request.creationType,
      workflow,
      version,
      inputs,
      contents: await listFolderContents(inputs, this.outputs),
      shownInputs,
      parallelism: request.parallelism ?? defaultParallelism(plan, slots),
      useCache: request.useCache,
      timeoutSeconds: request.timeoutSeconds ?? null,
      origin: request.origin,
      schedule: request.schedule,
      parent: request.parent && { ...request.parent, except: [...request.parent.except, ...repeated] },
      part: request.part,
      parameters: request.parameters,
    };
    let runId = '';
    return this.dispatcher.change({
      lock: { ids: [] },
      change: async (tx, runs) => {
        // Both travel with BEGIN.
        await Promise.all([requireUnrestricted(tx, vault), requireRoomForRun(tx, vault, this.limits)]);
        const run = await startRun(tx, runs, newRun);
        runId = String(run.id);
        return toResponse(run, plan);
      },
      onCommit: () => this.logger.debug({ message: 'Run created', runId, workflow: workflow.id, version }),
    });
  }

  /**
   * Loads the version, or the part of it that the request names, with the parameters of the request. `repeated`: nodes that
   * must not take over results.
   * @throws ValidationError if the version cannot run
   */
  async load(context: Context, request: RunRequest): Promise<RunnableVersion & { repeated: string[] }> {
    const { workflow, version, part, parameters, inputs } = request;
    const files = filePathsIn(inputs);
    if (part || parameters) return this.versions.loadVariant(context, workflow, version, files, { part, parameters });
    return { ...(await this.versions.load(context, workflow, version, files)), repeated: [] };
  }
}

/** As many dispatches as the plan can use, and the workers can run, at once. */
export const defaultParallelism = ({ plan }: PlanIndex, slots: number): number =>
  Math.max(1, Math.min(plan.widest ?? Infinity, Math.max(1, slots)));

/** Inserts a run. A run without segments ends at once. */
export async function startRun(tx: Transaction, runs: LockedRuns, newRun: NewRun): Promise<Run> {
  const row = await insertRun(tx, newRun);
  const run = new LockedRun(row, newRun.plan, new Date());
  if (row.openSegments > 0) {
    run.hasChecks = newRun.plan.hasChecks;
    if (run.hasChecks) runs.set(run.id, run);
    return row;
  }
  await finishRunIfDone(tx, run);
  runs.set(run.id, run);
  const { status, startedAt, finishedAt, error, changeSeq } = run;
  return { ...row, status, startedAt, finishedAt, error, changeSeq };
}
