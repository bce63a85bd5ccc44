import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Request } from '@millrace/contracts/kit/operation';
import { loadForRun } from '@millrace/contracts/workflows/workflows';
import { InvalidWorkflowError } from '@millrace/graph/check/problem';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import type { Context } from '@millrace/messaging/rpc/context';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { PlanIndex } from '../engine/plans/plan-index.js';
import { PlanStore } from '../engine/plans/plan-store.js';

type Loaded = z.output<typeof loadForRun.response>;
type Wanted = Request<typeof loadForRun>['body'];

/** Where the content of a stored file is, or why there is none; by its path. */
export type StoredFiles = Map<string, Loaded['files'][number]>;

export interface RunnableVersion {
  workflow: Loaded['workflow'];
  version: string;
  /** Who saved the version. */
  author: string;
  plan: PlanIndex;
  files: StoredFiles;
}

/** Brings versions in from the workflows service, and compiles each once: versions never change. */
@Injectable()
export class VersionCache {
  private readonly plans = new LRUCache<string, PlanIndex>({ max: 200 });
  /** The version that each workflow had last, whose content need not come again. */
  private readonly latest = new LRUCache<string, string>({ max: 200 });

  constructor(
    private readonly rpc: RpcClient,
    private readonly store: PlanStore,
  ) {}

  /**
   * @param version absent is the latest
   * @param files paths of stored files to find on the way
   * @throws ValidationError where the graph cannot run, with each problem under its node and port
   */
  async load(
    context: Context,
    workflow: string,
    version: string | undefined,
    files: string[],
  ): Promise<RunnableVersion> {
    const held = version ?? this.latest.get(workflow);
    const known = held !== undefined && this.plans.has(held) ? { known: held } : {};
    const loaded = await this.ask(context, { workflow, files, ...known, ...(version !== undefined && { version }) });
    let plan = this.plans.get(loaded.version);
    if (!plan) {
      const { content } = loaded.content
        ? loaded
        : await this.ask(context, { workflow, version: loaded.version, files: [] });
      if (!content) throw new NotFoundError('Version');
      plan = await this.compile(content);
      // A module that follows its workflow's latest version changes the plan under the same version.
      if (Object.keys(content.modules).length === 0) this.plans.set(loaded.version, plan);
    }
    if (version === undefined) this.latest.set(workflow, loaded.version);
    const { version: id, author } = loaded;
    return { workflow: loaded.workflow, version: id, author, plan, files: byPath(files, loaded) };
  }

  /** Stored files that came to be wanted only when the version was there: defaults of its inputs. */
  async findFiles(context: Context, { workflow, version }: RunnableVersion, files: string[]): Promise<StoredFiles> {
    if (files.length === 0) return new Map();
    return byPath(files, await this.ask(context, { workflow: workflow.id, version, known: version, files }));
  }

  private ask({ caller, requestId }: Context, wanted: Wanted): Promise<Loaded> {
    return this.rpc.call(loadForRun, wanted, { caller, requestId });
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

const byPath = (paths: string[], { files }: Loaded): StoredFiles =>
  new Map(files.map((file, index) => [paths[index] ?? '', file]));

/** Each problem under the node and port that it is about, and all of them as they are. */
function explain({ problems }: InvalidWorkflowError): ValidationError {
  const places: [string, string][] = problems.map(({ node, port, message }) => [
    [node ?? 'data', port].filter(Boolean).join('.'),
    message,
  ]);
  return new ValidationError({ ...Object.fromEntries(places), errors: problems }, 'The workflow cannot run as it is');
}
