import { Injectable } from '@nestjs/common';
import { ValidationError, type ErrorDetails } from '@millrace/contracts/kit/api-error';
import { findReadableOutputs } from '@millrace/contracts/runs/outputs';
import { FILE_URL, findStoredValues, OUTPUT_URL, type StoredValue } from '@millrace/graph/data/find-stored-values';
import { showName } from '@millrace/graph/names/check-name';
import type { Context } from '@millrace/messaging/rpc/context';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database } from '@millrace/persistence/database';
import { locateFiles } from '../storage/locate-files.js';

/** Services that restart are back within this time. */
const TIMEOUT_MS = 3_000;

/**
 * Holds those who save a version to the files and outputs that they may read themselves. Its defaults are read later, for
 * whoever runs it: otherwise a workflow could be made to read for its author what only its runners may.
 */
@Injectable()
export class StoredValuesChecker {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
  ) {}

  /**
   * A value that is missing and one that the caller may not read give the same message.
   * @param place in the request of what leads to the data; null where the data itself is in the body
   * @throws ValidationError that names each value by its place
   */
  async refuseUnreadable(data: unknown, context: Context, place: string | null = null): Promise<void> {
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
    for (const value of unreadable) details[place ?? `body.data.${value.path}`] ??= describe(value);
    throw new ValidationError(details, 'The workflow names files or outputs that cannot be read');
  }

  /** Those of some URLs that name an output which is missing, or which the caller may not read. */
  async findUnreadableOutputs(urls: readonly string[], context: Context): Promise<Set<string>> {
    const named = urls.filter((url) => url.startsWith(OUTPUT_URL));
    const readable = await this.findOutputs([...new Set(named.map((url) => pathOf(url, OUTPUT_URL)))], context);
    return new Set(named.filter((url) => !readable.has(pathOf(url, OUTPUT_URL))));
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

/** A folder may be written with a slash at its end. */
const pathOf = (url: string, prefix: string): string => url.slice(prefix.length).replace(/\/$/, '');

const describe = ({ node, port, url }: StoredValue): string =>
  port === undefined
    ? `input ${showName(node)} is set to ${url}, which does not exist or which you may not read`
    : `input ${showName(port)} of node ${showName(node)} is set to ${url}, which does not exist or which you may not read`;
