import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { NotFound, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/context';
import { Asker } from '@millrace/messaging/asker';
import { compilePlan } from '@millrace/graph/compile-plan';
import { InvalidWorkflowError } from '@millrace/graph/problem';
import { loadForRun } from '@millrace/contracts/workflows/workflows';
import type { PlanIndex } from './plan-index.js';
import { PlanStore } from './plan-store.js';

type Loaded = z.output<typeof loadForRun.response>;

export interface RunnableVersion {
  workflow: Loaded['workflow'];
  version: string;
  plan: PlanIndex;
}

/** Brings versions in from the workflows service, and compiles each once: versions never change. */
@Injectable()
export class VersionCache {
  private readonly plans = new LRUCache<string, PlanIndex>({ max: 200 });

  constructor(
    private readonly asker: Asker,
    private readonly store: PlanStore,
  ) {}

  /** @throws ValidationError where the graph cannot run, with each problem under its node and port */
  async load(context: Context, workflow: string, version: string | undefined): Promise<RunnableVersion> {
    const loaded = await this.ask(context, workflow, version, [...this.plans.keys()].slice(0, 50));
    let plan = this.plans.get(loaded.version);
    if (!plan) {
      const { content } = loaded.content ? loaded : await this.ask(context, workflow, loaded.version, []);
      if (!content) throw new NotFound('Version');
      plan = await this.compile(content);
      // A module that follows its workflow's latest version changes the plan under the same version.
      if (Object.keys(content.modules).length === 0) this.plans.set(loaded.version, plan);
    }
    return { workflow: loaded.workflow, version: loaded.version, plan };
  }

  private ask(context: Context, workflow: string, version: string | undefined, known: string[]): Promise<Loaded> {
    const from = { caller: context.caller, requestId: context.requestId };
    return this.asker.ask(loadForRun, { workflow, known, ...(version !== undefined && { version }) }, from);
  }

  private async compile({ data, modules }: NonNullable<Loaded['content']>): Promise<PlanIndex> {
    try {
      return await this.store.save(compilePlan(data, modules));
    } catch (error) {
      if (error instanceof InvalidWorkflowError) throw explain(error);
      throw error;
    }
  }
}

/** Each problem under the node and port that it is about, and all of them as they are. */
function explain({ problems }: InvalidWorkflowError): ValidationError {
  const places: [string, string][] = problems.map(({ node, port, message }) => [
    [node ?? 'data', port].filter(Boolean).join('.'),
    message,
  ]);
  return new ValidationError({ ...Object.fromEntries(places), errors: problems }, 'The workflow cannot run as it is');
}
