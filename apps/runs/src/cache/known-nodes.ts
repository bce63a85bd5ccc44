import { Injectable } from '@nestjs/common';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import { suggestName } from '@millrace/graph/names/suggest-name';
import type { Context } from '@millrace/messaging/rpc/context';
import { Database } from '@millrace/persistence/database';
import { ObjectMissingError } from '@millrace/storage/object-store';
import { PlanStore } from '../engine/plans/plan-store.js';
import { VersionCache } from '../launch/version-cache.js';

/** Runs of a workflow whose nodes are known, besides those of its latest version. */
const MAX_RUNS = 200;
/** Different plans of these runs that are read. */
const MAX_PLANS = 20;

/** The nodes that a workflow has, or had in recent runs: an earlier node may still have cached results. */
@Injectable()
export class KnownNodes {
  constructor(
    private readonly database: Database,
    private readonly plans: PlanStore,
    private readonly versions: VersionCache,
  ) {}

  /** @throws ValidationError if the workflow has no node, and no module, of this name */
  async require(context: Context, workflow: string, node: string): Promise<void> {
    const names: string[] = [];
    for await (const found of this.list(context, workflow)) {
      if (found.some((name) => name === node || name.startsWith(`${node}/`))) return;
      names.push(...found);
    }
    const suggestion = suggestName(node, new Set(names)) ?? 'See `GET /runs/{id}/subjobs` of a run for its nodes.';
    throw new ValidationError({
      'query.node': `names no node of the workflow (got ${JSON.stringify(node)}). ${suggestion}`,
    });
  }

  private async *list(context: Context, workflow: string): AsyncIterable<string[]> {
    const rows = await this.database.client.$queryRaw<{ plan: string }[]>`
      SELECT plan FROM (
        SELECT plan, created_at FROM runs.run WHERE workflow_id = ${workflow}::uuid
        ORDER BY created_at DESC LIMIT ${MAX_RUNS}) r
      GROUP BY plan ORDER BY max(created_at) DESC LIMIT ${MAX_PLANS}`;
    for (const { plan } of rows) yield await this.readNodes(plan);
    yield await this.readLatest(context, workflow);
  }

  private async readNodes(sha256: string): Promise<string[]> {
    try {
      return (await this.plans.load(sha256)).plan.steps.map(({ node }) => node);
    } catch (error) {
      if (error instanceof ObjectMissingError) return [];
      throw error;
    }
  }

  /** A version that cannot run has no results, and its nodes are not known here. */
  private async readLatest(context: Context, workflow: string): Promise<string[]> {
    try {
      const { plan } = await this.versions.load(context, workflow, undefined, []);
      return plan.plan.steps.map(({ node }) => node);
    } catch (error) {
      if (error instanceof ValidationError) return [];
      throw error;
    }
  }
}
