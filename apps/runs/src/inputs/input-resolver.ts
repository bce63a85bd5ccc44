import { Inject, Injectable } from '@nestjs/common';
import { ApiError, NotFoundError, ValidationError, type ErrorDetails } from '@millrace/contracts/kit/api-error';
import type { InputValue } from '@millrace/contracts/runs/dispatch';
import { MAX_NODES } from '@millrace/graph/data/workflow-data';
import type { InputType } from '@millrace/graph/plan/plan';
import { describeInputErrors } from '@millrace/graph/run/describe-input-errors';
import { inputName, resolveRunInputs } from '@millrace/graph/run/resolve-run-inputs';
import type { Context } from '@millrace/messaging/rpc/context';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';
import type { ObjectStore } from '@millrace/storage/object-store';
import { OutputLists } from '../engine/dispatch/output-lists.js';
import { checkVariables } from '../launch/check-variables.js';
import { VersionCache, type RunnableVersion, type StoredFiles } from '../launch/version-cache.js';
import { OBJECT_STORE } from '../object-store.js';
import { toContent } from '../outputs/to-output.js';
import { AuthorAccess } from './author-access.js';
import { isFileType } from './input-fetch.js';

const FILE = 'millrace://file/';
const OUTPUT = 'millrace://output/';

type Given = Record<string, string | boolean>;

/** Paths of the stored files that a run is given, as many as a workflow can have inputs. */
export const filePathsIn = (given: Given): string[] => pathsIn(Object.values(given)).slice(0, MAX_NODES);

const pathsIn = (values: (string | boolean)[]): string[] => {
  const urls = values.filter((value) => typeof value === 'string').filter((value) => value.startsWith(FILE));
  return [...new Set(urls.map(pathOf))];
};

/** The URL of a FILE input whose content came along; nothing can be fetched from this domain (RFC 2606). */
const STAND_IN = 'https://payload.invalid/';
const resolveAbsentCaller = (key: string): string => STAND_IN + encodeURIComponent(key);

/** A folder may be written with a slash at its end. */
const pathOf = (url: string): string => url.slice(FILE.length).replace(/\/$/, '');

/**
 * Fits what a run was started with to its workflow's inputs; stored files and folders are named by their content from here
 * on, URLs stay for a worker to fetch.
 */
@Injectable()
export class InputResolver {
  constructor(
    private readonly versions: VersionCache,
    private readonly database: Database,
    private readonly gathers: OutputLists,
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
    private readonly rpc: RpcClient,
  ) {}

  /** @throws ValidationError under `inputs.<key>` for each that is missing, unknown, of the wrong type or not there */
  async resolve(
    context: Context,
    runnable: RunnableVersion,
    given: Given,
    contents: Record<string, string> = {},
  ): Promise<Record<string, InputValue>> {
    const { plan } = runnable.plan;
    const standIns = Object.fromEntries(Object.keys(contents).map((key) => [key, resolveAbsentCaller(key)]));
    const contentOf = new Map(Object.entries(contents).map(([key, content]) => [resolveAbsentCaller(key), content]));
    const { values, providedIds: set, errors } = resolveRunInputs(plan, { ...given, ...standIns });
    const details: ErrorDetails = describeInputErrors(plan, errors, 'inputs');
    const typeOf = (id: string) => plan.primitives[id]?.type ?? 'STRING';
    const files = Object.entries(values).flatMap(([id, value]) => (isFileType(typeOf(id)) ? [value] : []));
    const stored = await this.findStored(context, runnable, files);
    const authors = new AuthorAccess(this.rpc, context);
    /** Nobody wrote into the version what the run gives: it is its runner's alone. */
    const authorOf = (id: string) => (set.has(id) ? null : (plan.primitives[id]?.author ?? runnable.author));
    const brought: Record<string, InputValue> = {};
    for (const [id, value] of Object.entries(values)) {
      try {
        const content = contentOf.get(String(value));
        if (content !== undefined) brought[id] = await this.store(content);
        else if (isFileType(typeOf(id))) {
          const checkAuthor = (space: string) => authors.check(authorOf(id), space);
          brought[id] = await this.find(context, typeOf(id), String(value), stored, checkAuthor);
        } else brought[id] = value;
      } catch (error) {
        if (!(error instanceof ApiError) || error.isServerError) throw error;
        details[`inputs.${inputName(plan, id)}`] = error.message;
      }
    }
    if (Object.keys(details).length > 0) throw new ValidationError(details, 'The inputs do not fit the workflow');
    await checkVariables(this.rpc, context, runnable, set);
    return brought;
  }

  /** Those that the run was given came along with the version; defaults are asked for now. */
  private async findStored(
    context: Context,
    runnable: RunnableVersion,
    values: (string | boolean)[],
  ): Promise<StoredFiles> {
    const missing = pathsIn(values).filter((path) => !runnable.files.has(path));
    return new Map([...runnable.files, ...(await this.versions.findFiles(context, runnable, missing))]);
  }

  private async find(
    context: Context,
    type: InputType,
    url: string,
    stored: StoredFiles,
    checkAuthor: (space: string) => Promise<void>,
  ): Promise<InputValue> {
    if (url.startsWith(FILE)) return this.toInput(type, stored.get(pathOf(url)));
    if (url.startsWith(OUTPUT)) return this.findOutput(context, url.slice(OUTPUT.length), checkAuthor);
    return url;
  }

  private async store(base64: string): Promise<InputValue> {
    const { sha256, size } = await this.objects.put(Buffer.from(base64, 'base64'), { durable: true });
    return { path: 'payload', sha256, size };
  }

  private async toInput(type: InputType, found: ReturnType<StoredFiles['get']>): Promise<InputValue> {
    if (!found) throw new NotFoundError('File');
    if ('problem' in found) throw new ValidationError({}, found.problem);
    if (type === 'FILE' && 'folder' in found) throw new ValidationError({}, 'is a folder, not a file');
    if (type === 'FOLDER' && !('folder' in found)) throw new ValidationError({}, 'is a file, not a folder');
    if ('folder' in found) return { folder: await this.gathers.toFileSet(found.folder) };
    return { path: found.name, sha256: found.sha256, size: found.size };
  }

  private async findOutput(
    context: Context,
    id: string,
    checkAuthor: (space: string) => Promise<void>,
  ): Promise<InputValue> {
    const output = isId(id)
      ? await this.database.client.output.findFirst({
          where: { id, run: inVault(context.caller) },
          include: { run: true },
        })
      : null;
    if (!output) throw new NotFoundError('Output');
    context.requireSpaceRole(output.run.spaceId, 'Output');
    await checkAuthor(output.run.spaceId);
    const { name: path, ...object } = toContent(output);
    return { path, ...object };
  }
}
