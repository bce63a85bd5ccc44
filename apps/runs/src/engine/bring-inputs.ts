import { Injectable } from '@nestjs/common';
import { ApiError, NotFound, ValidationError, type ErrorDetails } from '@millrace/contracts/kit/api-error';
import type { InputValue } from '@millrace/contracts/runs/dispatch';
import { resolveRunInputs } from '@millrace/graph/resolve-run-inputs';
import { MAX_NODES } from '@millrace/graph/workflow-data';
import type { Context } from '@millrace/messaging/context';
import { Database } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';
import { shownOf } from '../to-output.js';
import { VersionCache, type RunnableVersion, type StoredFiles } from './version-cache.js';

const FILE = 'millrace://file/';
const OUTPUT = 'millrace://output/';

type Given = Record<string, string | boolean>;

/** Paths of the stored files that a run is given, as many as a workflow can have inputs. */
export const filesIn = (given: Given): string[] => pathsIn(Object.values(given)).slice(0, MAX_NODES);

const pathsIn = (values: (string | boolean)[]): string[] => {
  const urls = values.filter((value) => typeof value === 'string').filter((value) => value.startsWith(FILE));
  return [...new Set(urls.map((url) => url.slice(FILE.length)))];
};

/** Fits what a run was started with to its workflow's inputs; files are named by their content from here on. */
@Injectable()
export class BringInputs {
  constructor(
    private readonly versions: VersionCache,
    private readonly database: Database,
  ) {}

  /** @throws ValidationError under `inputs.<key>` for each that is missing, unknown, of the wrong type or not there */
  async bring(context: Context, runnable: RunnableVersion, given: Given): Promise<Record<string, InputValue>> {
    const { plan } = runnable.plan;
    const { values, errors } = resolveRunInputs(plan, given);
    const details: ErrorDetails = Object.fromEntries(errors.map(({ port, message }) => [`inputs.${port}`, message]));
    const isFile = (id: string) => ['FILE', 'FOLDER'].includes(plan.primitives[id]?.type ?? '');
    const files = Object.entries(values).flatMap(([id, value]) => (isFile(id) ? [value] : []));
    const stored = await this.findStored(context, runnable, files);
    const brought: Record<string, InputValue> = {};
    for (const [id, value] of Object.entries(values)) {
      try {
        brought[id] = isFile(id) ? await this.find(context, String(value), stored) : value;
      } catch (error) {
        if (!(error instanceof ApiError) || error.code === 'internal_error') throw error;
        details[`inputs.${plan.primitives[id]?.label ?? id}`] = error.message;
      }
    }
    if (Object.keys(details).length > 0) throw new ValidationError(details, 'The inputs do not fit the workflow');
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

  private async find(context: Context, url: string, stored: StoredFiles): Promise<InputValue> {
    if (url.startsWith(FILE)) return toInput(stored.get(url.slice(FILE.length)));
    if (url.startsWith(OUTPUT)) return this.findOutput(context, url.slice(OUTPUT.length));
    throw new ValidationError({}, `"${url.slice(0, 100)}" cannot be fetched: use ${FILE}<path> or ${OUTPUT}<id>`);
  }

  private async findOutput(context: Context, id: string): Promise<InputValue> {
    const output = isId(id)
      ? await this.database.client.output.findFirst({
          where: { id, run: inVault(context.caller) },
          include: { run: true },
        })
      : null;
    if (!output) throw new NotFound('Output');
    context.enter(output.run.spaceId, 'Output');
    return { path: output.path.split('/').at(-1) ?? output.path, ...shownOf(output) };
  }
}

function toInput(file: ReturnType<StoredFiles['get']>): InputValue {
  if (!file) throw new NotFound('File');
  if ('problem' in file) throw new ValidationError({}, file.problem);
  if ('folder' in file) throw new ValidationError({}, 'is a folder, not a file');
  return { path: file.name, sha256: file.sha256, size: file.size };
}
