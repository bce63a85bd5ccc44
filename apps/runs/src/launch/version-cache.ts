import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Request } from '@millrace/contracts/kit/operation';
import { loadForRun } from '@millrace/contracts/workflows/workflows';
import { InvalidWorkflowError } from '@millrace/graph/check/problem';
import type { ParamValues } from '@millrace/graph/params/set-params';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import { InvalidPartError, selectPart, type Part, type SelectedPart } from '@millrace/graph/plan/select-part';
import type { Context } from '@millrace/messaging/rpc/context';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { PlanIndex } from '../engine/plans/plan-index.js';
import { PlanStore } from '../engine/plans/plan-store.js';
import { compileWithParameters } from '../parameters/compile-with-parameters.js';

type LoadedVersion = z.output<typeof loadForRun.response>;
type LoadRequest = Request<typeof loadForRun>['body'];

/** A plan that is kept for longer might have been deleted as unused, and the record of its deletion, too (`forgetGone`). */
const CACHE_TTL_MS = 24 * 60 * 60_000;

/** The content of stored files, or why there is none, by path. */
export type StoredFiles = Map<string, LoadedVersion['files'][number]>;

export interface RunnableVersion {
  workflow: LoadedVersion['workflow'];
  version: string;
  /** The user who saved the version. */
  author: string;
  plan: PlanIndex;
  files: StoredFiles;
}

/** A version before it is compiled. */
export type VersionData = Omit<RunnableVersion, 'plan' | 'files'> & NonNullable<LoadedVersion['content']>;

/** Loads versions from the workflows service and compiles each once, because a version never changes. */
@Injectable()
export class VersionCache {
  private readonly plans = new LRUCache<string, PlanIndex>({ max: 200, ttl: CACHE_TTL_MS });
  /** The latest known version by workflow; the service need not send its content again. */
  private readonly latest = new LRUCache<string, string>({ max: 200 });

  constructor(
    private readonly rpc: RpcClient,
    private readonly store: PlanStore,
  ) {}

  /**
   * @param version absent for the latest version
   * @param files paths of stored files to find with the same request
   * @throws ValidationError if the graph cannot run, with each problem under its node and port
   */
  async load(
    context: Context,
    workflow: string,
    version: string | undefined,
    files: string[],
  ): Promise<RunnableVersion> {
    const cached = version ?? this.latest.get(workflow);
    const known = cached !== undefined && this.plans.has(cached) ? { known: cached } : {};
    const loaded = await this.request(context, {
      workflow,
      files,
      ...known,
      ...(version !== undefined && { version }),
    });
    let plan = this.plans.get(loaded.version);
    if (!plan) {
      const { content } = loaded.content
        ? loaded
        : await this.request(context, { workflow, version: loaded.version, files: [] });
      if (!content) throw new NotFoundError(`Version ${loaded.version}`);
      plan = await this.compile(content);
      // A module that follows its workflow's latest version changes the plan under the same version.
      if (Object.keys(content.modules).length === 0) this.plans.set(loaded.version, plan);
    }
    if (version === undefined) this.latest.set(workflow, loaded.version);
    const { version: id, author } = loaded;
    return { workflow: loaded.workflow, version: id, author, plan, files: byPath(files, loaded) };
  }

  /**
   * Loads a version and compiles a part of it, or all of it with other values of parameters, or both. These plans are not
   * cached, because users choose them by hand.
   * @throws ValidationError as `load`, and if the version does not have the part or a parameter
   */
  async loadVariant(
    context: Context,
    workflow: string,
    version: string | undefined,
    files: string[],
    { part, parameters }: { part?: Part | undefined; parameters?: ParamValues | undefined },
  ): Promise<RunnableVersion & { repeated: string[] }> {
    const loaded = await this.request(context, { workflow, files, ...(version !== undefined && { version }) });
    const { content, version: id, author } = loaded;
    if (!content) throw new NotFoundError(`Version ${id}`);
    const { data, repeated } = part ? cutOut(content, part) : { data: content.data, repeated: [] };
    const plan = await this.compile({ ...content, data }, parameters);
    return { workflow: loaded.workflow, version: id, author, plan, files: byPath(files, loaded), repeated };
  }

  /**
   * Loads the data of a version as it is, without compiling it.
   * @param part of it; null for all
   */
  async loadData(context: Context, workflow: string, version: string, part: Part | null): Promise<VersionData> {
    const loaded = await this.request(context, { workflow, files: [], version });
    const { content, author } = loaded;
    if (!content) throw new NotFoundError(`Version ${version}`);
    const data = part === null ? content.data : cutOut(content, part).data;
    return { workflow: loaded.workflow, version: loaded.version, author, data, modules: content.modules };
  }

  /** Finds stored files that only the loaded version names: defaults of its inputs. */
  async findFiles(
    context: Context,
    { workflow, version }: Pick<RunnableVersion, 'workflow' | 'version'>,
    files: string[],
  ): Promise<StoredFiles> {
    if (files.length === 0) return new Map();
    return byPath(files, await this.request(context, { workflow: workflow.id, version, known: version, files }));
  }

  /** Makes the next run store its plan again, because one was deleted as unused. */
  forget(): void {
    this.plans.clear();
  }

  private request({ caller, requestId }: Context, request: LoadRequest): Promise<LoadedVersion> {
    return this.rpc.call(loadForRun, request, { caller, requestId });
  }

  private async compile(
    { data, modules }: NonNullable<LoadedVersion['content']>,
    parameters?: ParamValues,
  ): Promise<PlanIndex> {
    try {
      const plan = parameters ? compileWithParameters(data, modules, parameters) : compilePlan(data, modules);
      return await this.store.save(plan);
    } catch (error) {
      if (error instanceof InvalidWorkflowError) throw toValidationError(error);
      throw error;
    }
  }
}

function cutOut({ data, modules }: NonNullable<LoadedVersion['content']>, part: Part): SelectedPart {
  try {
    return selectPart(data, modules, part);
  } catch (error) {
    if (error instanceof InvalidWorkflowError) throw toValidationError(error);
    if (!(error instanceof InvalidPartError)) throw error;
    throw new ValidationError({ [`body.part.${error.field}.${error.position}`]: error.problem });
  }
}

const byPath = (paths: string[], { files }: LoadedVersion): StoredFiles =>
  new Map(files.map((file, index) => [paths[index] ?? '', file]));

/** Lists each problem under its node and port, and all problems unmodified under `errors`. */
function toValidationError({ problems }: InvalidWorkflowError): ValidationError {
  const byPlace: [string, string][] = problems.map(({ node, port, message }) => [
    [node ?? 'data', port].filter(Boolean).join('.'),
    message,
  ]);
  const first = problems[0]?.message ?? '';
  return new ValidationError(
    { ...Object.fromEntries(byPlace), errors: problems },
    `The workflow has errors and cannot run. The first one is: ${first} Correct the errors and save the workflow again.`,
  );
}
