import { Controller, Inject } from '@nestjs/common';
import { findContacts } from '@millrace/contracts/auth/contacts';
import { ForbiddenError, NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { approveSubjob, rejectSubjob, type ApprovalDecision } from '@millrace/contracts/runs/approvals';
import { clientFields } from '@millrace/messaging/rpc/client-fields';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { Run, Subjob } from '@millrace/persistence/generated/client';
import type { ObjectStore } from '@millrace/storage/object-store';
import { Dispatcher } from '../engine/dispatch/dispatcher.js';
import { PlanStore } from '../engine/plans/plan-store.js';
import { OBJECT_STORE } from '../object-store.js';
import { findSubjob } from '../runs/find-run.js';
import { loadPlan } from '../runs/load-plan.js';
import { describeSubjobs, type SubjobRecord } from '../subjobs/describe-subjobs.js';
import { decideApproval, toDecisionFile, type Decision } from './decide-approval.js';
import { mayDecide } from './may-decide.js';

type DecisionRequest = Input<typeof approveSubjob>;

/** Decides about subjobs that wait for an approval. */
@Controller()
export class ApprovalsController {
  constructor(
    private readonly database: Database,
    private readonly dispatcher: Dispatcher,
    private readonly plans: PlanStore,
    private readonly rpc: RpcClient,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  @OperationHandler(approveSubjob)
  approve(request: Input<typeof approveSubjob>, context: Context): Promise<Result<typeof approveSubjob>> {
    return this.decide(request, context, 'approved');
  }

  @OperationHandler(rejectSubjob)
  reject(request: Input<typeof rejectSubjob>, context: Context): Promise<Result<typeof rejectSubjob>> {
    return this.decide(request, context, 'rejected');
  }

  private async decide(
    { params, body }: DecisionRequest,
    context: Context,
    decision: ApprovalDecision,
  ): Promise<SubjobRecord> {
    const { run, subjob } = await findSubjob(this.database, context, params);
    await this.requireApprover(run, subjob, context);
    const decided: Decision = {
      ...{ decision, comment: body.comment ?? null, at: new Date() },
      by: await this.describeCaller(context),
      client: clientFields(context.envelope),
    };
    const file = await this.store.put(Buffer.from(toDecisionFile(decided)), { durable: true });
    return this.dispatcher.change({
      lock: { ids: [run.id] },
      change: async (tx, runs) => {
        const locked = runs.get(run.id);
        return locked ? decideApproval(tx, locked, subjob, decided, file) : false;
      },
      read: async (tx, isDecided) => {
        const record = await this.describe(tx, run, subjob);
        if (isDecided) return record;
        throw new ValidationError({
          'params.subjobId': `names subjob ${subjob.id}, which does not wait for an approval (it is ${record.status})`,
        });
      },
    });
  }

  private async requireApprover(run: Run, { id, step }: Subjob, { caller }: Context): Promise<void> {
    const { program } = (await loadPlan(this.plans, run)).step(step);
    if (program.kind !== 'approval') {
      throw new ValidationError({ 'params.subjobId': `names subjob ${id}, whose node is not of type APPROVAL` });
    }
    if (mayDecide(caller, run.spaceId, program.role)) return;
    throw new ForbiddenError(
      `The approval requires the role "${program.role}" in the space. Ask a user with this role to decide.`,
    );
  }

  private async describeCaller({ caller }: Context): Promise<NonNullable<Decision['by']>> {
    const request = { vault: caller.vault, users: [caller.user] };
    const { contacts } = await this.rpc.call(findContacts, request, { caller: null });
    return { user: caller.user, email: contacts[0]?.email ?? null };
  }

  private async describe(tx: Transaction, run: Run, { id }: Subjob): Promise<SubjobRecord> {
    const row = await tx.subjob.findUnique({ where: { id } });
    const [record] = row ? await describeSubjobs(tx, this.plans, run, [row]) : [];
    if (!record) throw new NotFoundError(`Subjob ${id}`);
    return record;
  }
}
