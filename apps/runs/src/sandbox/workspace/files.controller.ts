import { basename } from 'node:path';
import { Controller } from '@nestjs/common';
import { ApiError, NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import {
  SANDBOX_SESSION_LIMITS,
  deleteSandboxFiles,
  listSandboxFiles,
  readSandboxFile,
  writeSandboxFile,
} from '@millrace/contracts/runs/sandbox';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { escapeLike, pageArgs, searchFilter } from '@millrace/persistence/list';
import { InvalidPathError, normalizePath } from '@millrace/storage/normalize-path';
import { SessionAccess } from '../sessions/session-access.js';
import { toEntry } from '../sessions/to-session.js';
import { WorkspaceFullError, changeWorkspace, lockWorkspace } from './change-workspace.js';
import { foldersAbove } from './find-displaced.js';
import { recordStoredBytes } from './storage-quota.js';

/** The files of a workspace, with or without a running sandbox. A written file appears in the sandbox when the next command starts. */
@Controller()
export class SandboxFilesController {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionAccess,
  ) {}

  @OperationHandler(listSandboxFiles)
  async list({ query }: Input<typeof listSandboxFiles>, context: Context): Promise<Result<typeof listSandboxFiles>> {
    const { workspaceId } = await this.sessions.requireSession(context, query.sessionId);
    const where = { workspaceId, ...atOrBelow(query.path), AND: searchFilter(query.search, ['path']) };
    const [entries, count] = await Promise.all([
      this.database.client.sandboxEntry.findMany({ where, ...pageArgs(query, {}, 'path') }),
      this.database.client.sandboxEntry.count({ where }),
    ]);
    return { results: entries.map(toEntry), count };
  }

  @OperationHandler(readSandboxFile)
  async read({ query }: Input<typeof readSandboxFile>, context: Context): Promise<Result<typeof readSandboxFile>> {
    const { workspaceId } = await this.sessions.requireSession(context, query.sessionId);
    const entry = await this.database.client.sandboxEntry.findFirst({ where: { workspaceId, path: query.path } });
    if (!entry || entry.sha256 === null) throw new NotFoundError(`File ${query.path}`);
    return { name: basename(entry.path), sha256: entry.sha256, size: entry.size };
  }

  @OperationHandler(writeSandboxFile)
  async write(
    { query, body }: Input<typeof writeSandboxFile>,
    context: Context,
  ): Promise<Result<typeof writeSandboxFile>> {
    const session = await this.sessions.requireSession(context, query.sessionId);
    const { workspaceId } = session;
    // The content is in the object store already, even if the workspace refuses it.
    await this.database.transaction((tx) => recordStoredBytes(tx, session, body.size));
    if (body.size > SANDBOX_SESSION_LIMITS.fileBytes)
      throw new ApiError('payload_too_large', `The file may have at most 64 MiB (got ${body.size} bytes).`);
    const path = checkPath(query.path);
    const above = foldersAbove(path);
    return this.database.transaction(async (tx) => {
      const workspace = await lockWorkspace(tx, workspaceId);
      const where = {
        workspaceId,
        OR: [{ path: { in: above }, kind: { not: 'folder' } }, { path, kind: 'folder' }, below(path)],
      };
      const conflict = await tx.sandboxEntry.findFirst({ where });
      if (conflict) throw new ValidationError({ 'query.path': describeConflict(path, conflict.path) });
      const entry = { path, kind: 'file' as const, ...body, executable: query.executable === 'true', target: null };
      await changeWorkspace(tx, workspace, { changed: [entry], removed: above }).catch(refuseFull);
      return toEntry(await tx.sandboxEntry.findUniqueOrThrow({ where: { workspaceId_path: { workspaceId, path } } }));
    });
  }

  @OperationHandler(deleteSandboxFiles)
  async delete(
    { query }: Input<typeof deleteSandboxFiles>,
    context: Context,
  ): Promise<Result<typeof deleteSandboxFiles>> {
    const { workspaceId } = await this.sessions.requireSession(context, query.sessionId);
    return this.database.transaction(async (tx) => {
      const workspace = await lockWorkspace(tx, workspaceId);
      const found = await tx.sandboxEntry.findMany({
        where: { workspaceId, ...atOrBelow(query.path) },
        select: { path: true },
      });
      if (found.length === 0 && query.path !== '') throw new NotFoundError(`File ${query.path}`);
      await changeWorkspace(tx, workspace, { changed: [], removed: found.map(({ path }) => path) });
      return { success: true, deleted: found.length };
    });
  }
}

const below = (path: string) => ({ path: { startsWith: `${escapeLike(path)}/` } });
const atOrBelow = (path: string) => (path === '' ? {} : { OR: [{ path }, below(path)] });

const describeConflict = (path: string, other: string): string =>
  other.length < path.length
    ? `cannot be written: "${other}" is not a folder`
    : 'names a folder; delete it first or choose another path';

function refuseFull(error: unknown): never {
  if (!(error instanceof WorkspaceFullError)) throw error;
  throw new ApiError('payload_too_large', `The file cannot be written: ${error.message}. Delete files first.`);
}

function checkPath(path: string): string {
  try {
    return normalizePath(path);
  } catch (error) {
    if (!(error instanceof InvalidPathError)) throw error;
    throw new ValidationError({ 'query.path': error.message });
  }
}
