import { Controller, Inject } from '@nestjs/common';
import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { retryRun } from '@millrace/contracts/runs/runs';
import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import { retrySubjob, skipSubjob } from '@millrace/contracts/runs/subjobs';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { Run, Subjob } from '@millrace/persistence/generated/client';
import type { ObjectStore } from '@millrace/storage/object-store';
import { mayDecide } from '../approvals/may-decide.js';
import { ExistingWorkflows } from '../deleted-workflows/existing-workflows.js';
import { Dispatcher } from '../engine/dispatch/dispatcher.js';
import type { PlanIndex } from '../engine/plans/plan-index.js';
import { PlanStore } from '../engine/plans/plan-store.js';
import { requireNode } from '../engine/retry/choose-tasks.js';
import { retryRun as retryTasks, skipSubjob as skipTasks } from '../engine/retry/retry-run.js';
import { SKIPPED_BY_USER } from '../engine/settle/skip-reasons.js';
import { isActive } from '../engine/states/subjob-transitions.js';
import type { LockedRun } from '../engine/transaction/locked-run.js';
import { toInputs } from '../inputs/to-inputs.js';
import { RunStarter } from '../launch/run-starter.js';
import { OBJECT_STORE } from '../object-store.js';
import { InvalidParametersError } from '../parameters/invalid-parameters-error.js';
import { toParameters } from '../parameters/to-parameters.js';
import { requireUnrestricted } from '../restrictions/require-unrestricted.js';
import { describeSubjobs, type SubjobRecord } from '../subjobs/describe-subjobs.js';
import type { Cancellation } from '../workers/cancellation.js';
import { findRun, findSubjob, readRun } from './find-run.js';
import { loadPlan } from './load-plan.js';
import { publishControl } from './publish-control.js';
import { repeatWithChanges } from './repeat-with-changes.js';
import { toRun } from './to-run.js';

const describe = ({ id, node }: Subjob) => ({ subjob: String(id), node });

type RetryBody = Input<typeof retryRun>['body'];

/** Repairs runs: runs subjobs again, or goes on without them. */
@Controller()
export class RepairController {
  constructor(
    private readonly database: Database,
    private readonly dispatcher: Dispatcher,
    private readonly plans: PlanStore,
    private readonly starter: RunStarter,
    private readonly workflows: ExistingWorkflows,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  @OperationHandler(retryRun)
  async retry({ params, body }: Input<typeof retryRun>, context: Context): Promise<Result<typeof retryRun>> {
    const run = await findRun(this.database, context, params.id);
    if (body.inputs !== undefined || body.version_id !== undefined) return this.repeat(run, body, context);
    const { nodes, children: subjobs } = body;
    const change = async (tx: Transaction, locked: LockedRun) => {
      const cancelled = await retryTasks(tx, locked, { nodes, subjobs });
      const details = { ...(nodes && { nodes }), ...(subjobs && { subjobs: subjobs.length }) };
      publishControl(tx, run, context, { action: 'run.retried', details });
      return cancelled;
    };
    return this.change(run, change, async (tx) => toRun(await readRun(tx, run.id)));
  }

  @OperationHandler(retrySubjob)
  async retrySubjob({ params }: Input<typeof retrySubjob>, context: Context): Promise<Result<typeof retrySubjob>> {
    const { run, subjob } = await findSubjob(this.database, context, params);
    const change = async (tx: Transaction, locked: LockedRun) => {
      requireRetryable(await readSubjob(tx, subjob));
      const cancelled = await retryTasks(tx, locked, { subjobs: [String(subjob.id)] });
      publishControl(tx, run, context, { action: 'subjob.retried', details: describe(subjob) });
      return cancelled;
    };
    return this.change(run, change, (tx) => this.describe(tx, run, subjob));
  }

  @OperationHandler(skipSubjob)
  async skip({ params, body }: Input<typeof skipSubjob>, context: Context): Promise<Result<typeof skipSubjob>> {
    const { run, subjob } = await findSubjob(this.database, context, params);
    const reason = body.comment ? `${SKIPPED_BY_USER}: ${body.comment}` : SKIPPED_BY_USER;
    const change = async (tx: Transaction, locked: LockedRun) => {
      requireSkippable(await readSubjob(tx, subjob));
      const cancelled = await skipTasks(tx, locked, subjob.id, {
        reason,
        mayDecide: (role) => mayDecide(context.caller, run.spaceId, role),
      });
      const details = { ...describe(subjob), ...(body.comment && { comment: body.comment }) };
      publishControl(tx, run, context, { action: 'subjob.skipped', details });
      return cancelled;
    };
    return this.change(run, change, (tx) => this.describe(tx, run, subjob));
  }

  /** Starts a new run with changed inputs or another version. */
  private async repeat(run: Run, body: RetryBody, context: Context): Promise<Result<typeof retryRun>> {
    if (body.children !== undefined) {
      throw new ValidationError({
        'body.children': 'cannot be combined with `inputs` or `version_id`, which start a new run; name `nodes`',
      });
    }
    const { plan } = await loadPlan(this.plans, run);
    for (const [at, node] of body.nodes?.entries() ?? []) requireNode(plan, node, `body.nodes.${at}`);
    const changes = {
      ...{ inputs: body.inputs, version: body.version_id, except: body.nodes ?? [] },
      creationType: context.caller.credential === 'token' ? ('API' as const) : ('MANUAL' as const),
    };
    const request = await repeatWithChanges(run, plan, changes, this.store);
    const toResponse = (started: Run, { plan: compiled }: PlanIndex) => ({
      ...toRun(started),
      ...toParameters(started),
      inputs: toInputs(started, compiled),
    });
    return this.starter.start(context, request, toResponse).catch((error: unknown) => {
      throw error instanceof InvalidParametersError ? describeOutdated(run, error) : error;
    });
  }

  /** Changes a run of an existing workflow. @param read reads the response after the change, in the same transaction */
  private async change<Response>(
    former: Run,
    change: (tx: Transaction, run: LockedRun) => Promise<Cancellation[]>,
    read: (tx: Transaction) => Promise<Response>,
  ): Promise<Response> {
    await this.workflows.require(former);
    const { id, vaultId } = former;
    return this.dispatcher.change({
      lock: { ids: [id] },
      change: async (tx, runs, cancel) => {
        await requireUnrestricted(tx, vaultId);
        const run = runs.get(id);
        if (!run) throw new NotFoundError(`Run ${id}`);
        for (const cancellation of await change(tx, run)) cancel(cancellation);
      },
      read,
    });
  }

  private async describe(tx: Transaction, run: Run, { id }: Subjob): Promise<SubjobRecord> {
    const row = await tx.subjob.findUnique({ where: { id } });
    const [record] = row ? await describeSubjobs(tx, this.plans, run, [row]) : [];
    if (!record) throw new NotFoundError(`Subjob ${id}`);
    return record;
  }
}

/** The request does not have these parameters. They were valid for the run, but a module or a file has changed since. */
const describeOutdated = ({ id }: Run, { details = {} }: InvalidParametersError): ValidationError => {
  const [first] = Object.entries(details).map(
    ([place, problem]) => `${place.replace(/^body\./, '')} ${String(problem)}`,
  );
  return new ValidationError({
    'params.id': `names run ${id}, whose parameters can no longer be set: ${first ?? ''}. Start a new run; \`reuse_run\` takes over the results that are still valid`,
  });
};

/** Reads the present state of a subjob. Its run is locked. */
async function readSubjob(tx: Transaction, { id }: Subjob): Promise<Subjob> {
  const subjob = await tx.subjob.findUnique({ where: { id } });
  if (!subjob) throw new NotFoundError(`Subjob ${id}`);
  return subjob;
}

function requireRetryable({ id, status }: Subjob): void {
  if (status !== 'PENDING' && !isActive(status as SubjobStatus)) return;
  throw new ValidationError({
    'params.subjobId': `names subjob ${id}, which has not ended (${status}); stop it first, or wait until it has ended`,
  });
}

function requireSkippable({ id, status }: Subjob): void {
  if (status !== 'SUCCEEDED' && !isActive(status as SubjobStatus)) return;
  const hint = status === 'SUCCEEDED' ? 'has succeeded' : `is under way (${status}); stop it first`;
  throw new ValidationError({ 'params.subjobId': `names subjob ${id}, which ${hint}` });
}
