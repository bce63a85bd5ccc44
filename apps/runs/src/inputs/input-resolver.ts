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

const FILE_URL = 'millrace://file/';
const OUTPUT_URL = 'millrace://output/';

type GivenInputs = Record<string, string | boolean>;

/** Paths of the stored files that a request names, at most as many as a workflow can have inputs. */
export const filePathsIn = (given: GivenInputs): string[] => pathsIn(Object.values(given)).slice(0, MAX_NODES);

const pathsIn = (values: (string | boolean)[]): string[] => {
  const urls = values.filter((value) => typeof value === 'string').filter((value) => value.startsWith(FILE_URL));
  return [...new Set(urls.map(pathOf))];
};

/** A placeholder URL for a FILE input whose content comes with the request; nothing can be fetched from `.invalid` (RFC 2606). */
const placeholderUrl = (key: string): string => `https://payload.invalid/${encodeURIComponent(key)}`;

/** The URL of a folder may end with a slash. */
const pathOf = (url: string): string => url.slice(FILE_URL.length).replace(/\/$/, '');

/**
 * Resolves the inputs of a request to start a run. Stored files and folders become references to their content. URLs stay
 * unchanged, and a worker fetches them.
 */
@Injectable()
export class InputResolver {
  constructor(
    private readonly versions: VersionCache,
    private readonly database: Database,
    private readonly outputs: OutputLists,
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
    private readonly rpc: RpcClient,
  ) {}

  /** @throws ValidationError with a problem under `inputs.<key>` for each input that is missing, unknown or of the wrong type, or whose file does not exist */
  async resolve(
    context: Context,
    runnable: RunnableVersion,
    given: GivenInputs,
    contents: Record<string, string> = {},
  ): Promise<Record<string, InputValue>> {
    const { plan } = runnable.plan;
    const placeholders = Object.fromEntries(Object.keys(contents).map((key) => [key, placeholderUrl(key)]));
    const contentByUrl = new Map(Object.entries(contents).map(([key, content]) => [placeholderUrl(key), content]));
    const { values, providedIds, errors } = resolveRunInputs(plan, { ...given, ...placeholders });
    const details: ErrorDetails = describeInputErrors(plan, errors, 'inputs');
    const typeOf = (id: string) => plan.primitives[id]?.type ?? 'STRING';
    const files = Object.entries(values).flatMap(([id, value]) => (isFileType(typeOf(id)) ? [value] : []));
    const stored = await this.findStored(context, runnable, files);
    const authors = new AuthorAccess(this.rpc, context);
    /** A value in the request comes from the user who starts the run, not from an author. */
    const authorOf = (id: string) => (providedIds.has(id) ? null : (plan.primitives[id]?.author ?? runnable.author));
    const resolved: Record<string, InputValue> = {};
    for (const [id, value] of Object.entries(values)) {
      try {
        const content = contentByUrl.get(String(value));
        if (content !== undefined) resolved[id] = await this.store(content);
        else if (isFileType(typeOf(id))) {
          const checkAuthor = (space: string) => authors.check(authorOf(id), space);
          resolved[id] = await this.resolveUrl(context, typeOf(id), String(value), stored, checkAuthor);
        } else resolved[id] = value;
      } catch (error) {
        if (!(error instanceof ApiError) || error.isServerError) throw error;
        details[`inputs.${inputName(plan, id)}`] = error.message;
      }
    }
    if (Object.keys(details).length > 0) throw new ValidationError(details, 'The inputs do not match the workflow.');
    await checkVariables(this.rpc, context, runnable, providedIds);
    return resolved;
  }

  /** Files that the request names were loaded with the version; files that are defaults are loaded now. */
  private async findStored(
    context: Context,
    runnable: RunnableVersion,
    values: (string | boolean)[],
  ): Promise<StoredFiles> {
    const missing = pathsIn(values).filter((path) => !runnable.files.has(path));
    return new Map([...runnable.files, ...(await this.versions.findFiles(context, runnable, missing))]);
  }

  private async resolveUrl(
    context: Context,
    type: InputType,
    url: string,
    stored: StoredFiles,
    checkAuthor: (space: string) => Promise<void>,
  ): Promise<InputValue> {
    if (url.startsWith(FILE_URL)) return this.toInput(type, pathOf(url), stored.get(pathOf(url)));
    if (url.startsWith(OUTPUT_URL)) return this.findOutput(context, url.slice(OUTPUT_URL.length), checkAuthor);
    return url;
  }

  private async store(base64: string): Promise<InputValue> {
    const { sha256, size } = await this.objects.put(Buffer.from(base64, 'base64'), { durable: true });
    return { path: 'payload', sha256, size };
  }

  private async toInput(type: InputType, path: string, found: ReturnType<StoredFiles['get']>): Promise<InputValue> {
    if (!found) throw new NotFoundError(`File ${path}`);
    if ('problem' in found) throw new ValidationError({}, found.problem);
    if (type === 'FILE' && 'folder' in found) throw new ValidationError({}, 'is a folder, not a file');
    if (type === 'FOLDER' && !('folder' in found)) throw new ValidationError({}, 'is a file, not a folder');
    if ('folder' in found) return { folder: await this.outputs.toFileSet(found.folder) };
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
    if (!output) throw new NotFoundError(`Output ${id}`);
    context.requireSpaceRole(output.run.spaceId, `Output ${id}`);
    await checkAuthor(output.run.spaceId);
    const { name: path, ...object } = toContent(output);
    return { path, ...object };
  }
}
