import { Controller } from '@nestjs/common';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { CACHE_PARTS } from '@millrace/contracts/runs/cache';
import { explainCache } from '@millrace/contracts/runs/cached-results';
import type { Step } from '@millrace/graph/plan/plan';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import type { Run, Subjob } from '@millrace/persistence/generated/client';
import { canRead, inVault } from '@millrace/persistence/tenancy';
import { ItemKeys } from '../compare/item-keys.js';
import type { PlanIndex } from '../engine/plans/plan-index.js';
import { PlanStore } from '../engine/plans/plan-store.js';
import { findSubjob } from '../runs/find-run.js';
import { loadPlan } from '../runs/load-plan.js';
import { countChildren } from './count-children.js';
import { describeCacheUse, findCacheUse, type CacheUse } from './describe-cache-use.js';
import { findChangedInputs, type SubjobInputs } from './find-changed-inputs.js';
import { findCounterparts } from './find-counterparts.js';
import {
  differingParts,
  findEarlierResults,
  findEarlierRuns,
  findNearest,
  type KeyParts,
} from './find-earlier-results.js';

type Explanation = Result<typeof explainCache>;

interface Nearest {
  nearest: Explanation['nearest'];
  /** Number of runs that were looked at. */
  examined: number;
}

interface Explained {
  run: Run;
  subjob: Subjob;
  plan: PlanIndex;
  parts: KeyParts;
}

/** Explains why a subjob reused an earlier result, or did not. */
@Controller()
export class ExplainCacheController {
  constructor(
    readonly database: Database,
    readonly plans: PlanStore,
    readonly itemKeys: ItemKeys,
  ) {}

  @OperationHandler(explainCache)
  async explain({ params }: Input<typeof explainCache>, context: Context): Promise<Explanation> {
    const { run, subjob } = await findSubjob(this.database, context, params);
    const plan = await loadPlan(this.plans, run);
    const step = plan.step(subjob.step);
    const use = findCacheUse(run, step, subjob);
    const parts = subjob.cacheParts as KeyParts | null;
    const source = subjob.cachedFrom === null ? undefined : await this.findSource(subjob.cachedFrom, context);
    const { nearest, examined }: Nearest =
      parts === null || use.result === 'hit'
        ? { nearest: undefined, examined: 0 }
        : await this.findNearest({ run, subjob, plan, parts });
    return {
      ...{ run: String(run.id), subjob: String(subjob.id), node: subjob.node },
      ...use,
      message: describeCacheUse(use, { source, nearest, examined }),
      parts: parts === null ? [] : CACHE_PARTS.map((name) => ({ name, digest: parts[name] })),
      reusable: await this.isReusable(run, subjob),
      ...(source && { source }),
      ...(nearest && { nearest }),
      runs_examined: examined,
      ...(isGroup(use) && { children: await countChildren(this.database, run, step) }),
    };
  }

  /** The subjob whose result was reused, if its run still exists and the caller may see it. */
  private async findSource(id: bigint, context: Context): Promise<Explanation['source']> {
    const source = await this.database.client.subjob.findFirst({
      where: { id, run: inVault(context.caller) },
      select: { task: true, run: { select: { id: true, name: true, spaceId: true } } },
    });
    if (!source || !canRead(context.caller, source.run.spaceId)) return undefined;
    return {
      ...{ run: String(source.run.id), run_name: source.run.name, subjob: String(id) },
      ...(source.task > 0 && { task_index: source.task }),
    };
  }

  private async isReusable({ spaceId }: Run, { cacheKey: key }: Subjob): Promise<boolean> {
    if (key === null) return false;
    const where = { spaceId_key: { spaceId, key } };
    return (await this.database.client.cacheEntry.findUnique({ where, select: { key: true } })) !== null;
  }

  private async findNearest({ run, subjob, plan, parts }: Explained): Promise<Nearest> {
    const runs = await findEarlierRuns(this.database, run);
    const step = plan.step(subjob.step);
    const { found, examined } = await findCounterparts(this, { run: run.id, plan, step, task: subjob.task }, runs);
    const nearest = findNearest(parts, await findEarlierResults(this.database, found));
    const other = nearest && (await this.database.client.run.findUnique({ where: { id: nearest.run } }));
    // The run may have been deleted since.
    if (!nearest || !other) return { nearest: undefined, examined };
    const different = differingParts(parts, nearest.parts);
    const areInputsCompared = different.includes('inputs') || different.includes('arguments');
    const [own, others] = [toSubjobInputs(run, step, subjob), toSubjobInputs(other, nearest.step, nearest)];
    return {
      examined,
      nearest: {
        ...{ run: String(nearest.run), run_name: other.name, subjob: String(nearest.id) },
        ...(nearest.task > 0 && { task_index: nearest.task }),
        ...(nearest.finishedAt && { finished_at: nearest.finishedAt.toISOString() }),
        equal: CACHE_PARTS.length - different.length,
        different: different.map((name) => ({ name, digest: nearest.parts[name] })),
        inputs: areInputsCompared ? await findChangedInputs(this.database, own, others) : [],
      },
    };
  }
}

const toSubjobInputs = (
  { id, inputs }: Run,
  step: Step,
  { task, params }: { task: number; params: unknown },
): SubjobInputs => ({
  ...{ run: id, step, task },
  params: params as SubjobInputs['params'],
  inputs: inputs as SubjobInputs['inputs'],
});

const isGroup = (use: CacheUse): boolean => use.result === 'not_used' && use.reason === 'task_group';
