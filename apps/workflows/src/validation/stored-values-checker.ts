import { Injectable } from '@nestjs/common';
import { ValidationError, type ErrorDetails } from '@millrace/contracts/kit/api-error';
import { findReadableOutputs } from '@millrace/contracts/runs/outputs';
import { FILE_URL, findStoredValues, OUTPUT_URL, type StoredValue } from '@millrace/graph/data/find-stored-values';
import { showName } from '@millrace/graph/names/check-name';
import type { Context } from '@millrace/messaging/rpc/context';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database } from '@millrace/persistence/database';
import { locateFiles } from '../storage/locate-files.js';

/** A service restarts within this time. */
const TIMEOUT_MS = 3_000;

/**
 * Permits in a saved version only stored files and outputs that its author may read. Runs read these default values
 * with the rights of the user who starts them; without the check, an author could make a workflow read data for them
 * that only its runners may read.
 */
@Injectable()
export class StoredValuesChecker {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
  ) {}

  /**
   * A missing value and an unreadable one cause the same message.
   * @param field the request field that leads to the data; null if the body contains the data itself
   * @throws ValidationError that names each value by its field
   */
  async refuseUnreadable(data: unknown, context: Context, field: string | null = null): Promise<void> {
    const values = findStoredValues(data);
    if (values.length === 0) return;
    const [files, outputs] = await Promise.all([
      this.findFiles(pathsOf(values, FILE_URL), context),
      this.findOutputs(pathsOf(values, OUTPUT_URL), context),
    ]);
    const isReadable = ({ url }: StoredValue) =>
      url.startsWith(FILE_URL) ? files.has(pathOf(url, FILE_URL)) : outputs.has(pathOf(url, OUTPUT_URL));
    const unreadable = values.filter((value) => !isReadable(value));
    if (unreadable.length === 0) return;
    const details: ErrorDetails = {};
    for (const value of unreadable) details[field ?? `body.data.${value.path}`] ??= describeUnreadable(value);
    throw new ValidationError(
      details,
      'The workflow names files or outputs that do not exist or that you may not read.',
    );
  }

  /** The URLs among `urls` of outputs that are missing or that the caller may not read. */
  async findUnreadableOutputs(urls: readonly string[], context: Context): Promise<Set<string>> {
    const outputs = urls.filter((url) => url.startsWith(OUTPUT_URL));
    const readable = await this.findOutputs([...new Set(outputs.map((url) => pathOf(url, OUTPUT_URL)))], context);
    return new Set(outputs.filter((url) => !readable.has(pathOf(url, OUTPUT_URL))));
  }

  private async findFiles(paths: string[], { caller }: Context): Promise<Set<string>> {
    const found = await locateFiles(this.database.client, paths, caller);
    return new Set(paths.filter((_, at) => !('problem' in (found[at] ?? { problem: '' }))));
  }

  private async findOutputs(ids: string[], { caller, requestId }: Context): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const options = { retryForMs: TIMEOUT_MS };
    const { readable } = await this.rpc.call(findReadableOutputs, { outputs: ids }, { caller, requestId }, options);
    return new Set(readable);
  }
}

const pathsOf = (values: StoredValue[], prefix: string): string[] => [
  ...new Set(values.flatMap(({ url }) => (url.startsWith(prefix) ? [pathOf(url, prefix)] : []))),
];

/** A folder may have a slash at the end. */
const pathOf = (url: string, prefix: string): string => url.slice(prefix.length).replace(/\/$/, '');

const describeUnreadable = ({ node, port, url }: StoredValue): string =>
  port === undefined
    ? `input ${showName(node)} is set to ${url}, which does not exist or which you may not read`
    : `input ${showName(port)} of node ${showName(node)} is set to ${url}, which does not exist or which you may not read`;
