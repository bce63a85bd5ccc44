import { Controller } from '@nestjs/common';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { deleteFile, downloadFile, getFile, listFiles, uploadFile } from '@millrace/contracts/workflows/storage';
import { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import type { File, Prisma } from '@millrace/persistence/generated/client';
import { isId, newId } from '@millrace/persistence/ids';
import { DATE_COLUMNS, escapeLike, pageArgs, searchFilter } from '@millrace/persistence/list';
import { inVault } from '@millrace/persistence/tenancy';
import { toContent, toFile } from './locate-files.js';
import { nameOf, parentOf, readPath } from './read-path.js';
import { StorageQuota } from './storage-quota.js';
import { ensureFolders, lockTree, refuseFolder } from './storage-tree.js';

@Controller()
export class FilesController {
  constructor(
    private readonly database: Database,
    private readonly quota: StorageQuota,
  ) {}

  /** The bytes are already in the object store. From the commit on, the path leads to them. */
  @OperationHandler(uploadFile)
  async upload({ body }: Input<typeof uploadFile>, { caller }: Context): Promise<Result<typeof uploadFile>> {
    const path = readPath(body.path, 'body.path');
    const where = { ...inVault(caller), path };
    return this.database.transaction(async (tx) => {
      await lockTree(tx, caller.vault);
      await refuseFolder(tx, caller.vault, path);
      const replaced = await tx.file.findUnique({ where: { vaultId_path: where }, select: { size: true } });
      await this.quota.check(tx, caller.vault, body.size, Number(replaced?.size ?? 0));
      await ensureFolders(tx, caller.vault, parentOf(path));
      const content = { size: body.size, sha256: body.sha256 };
      const place = { ...where, name: nameOf(path), folder: parentOf(path), author: caller.user };
      const row = await tx.file.upsert({
        where: { vaultId_path: where },
        create: { id: newId(), ...place, ...content },
        update: content,
      });
      return toFile(row);
    });
  }

  @OperationHandler(listFiles)
  async list({ query }: Input<typeof listFiles>, { caller }: Context): Promise<Result<typeof listFiles>> {
    const place = [atOrBelow(query.path), directlyIn(query.folder)];
    const where = { AND: [inVault(caller), ...place, searchFilter(query.search, ['name'])] };
    const { file } = this.database.client;
    const [rows, count] = await Promise.all([
      file.findMany({ where, ...pageArgs(query, DATE_COLUMNS) }),
      file.count({ where }),
    ]);
    return { results: rows.map(toFile), count };
  }

  @OperationHandler(getFile)
  async get({ params }: Input<typeof getFile>, { caller }: Context): Promise<Result<typeof getFile>> {
    return toFile(await this.find(params.id, caller));
  }

  @OperationHandler(downloadFile)
  async download({ params }: Input<typeof downloadFile>, { caller }: Context): Promise<Result<typeof downloadFile>> {
    return toContent(await this.find(params.id, caller));
  }

  @OperationHandler(deleteFile)
  async delete({ params }: Input<typeof deleteFile>, { caller }: Context): Promise<null> {
    const where = { id: params.id, ...inVault(caller) };
    return this.database.transaction(async (tx) => {
      await lockTree(tx, caller.vault);
      const { count } = isId(params.id) ? await tx.file.deleteMany({ where }) : { count: 0 };
      if (count === 0) throw new NotFoundError(`File ${params.id}`);
      return null;
    });
  }

  private async find(id: string, caller: Caller): Promise<File> {
    const where = { id, ...inVault(caller) };
    const found = isId(id) ? await this.database.client.file.findFirst({ where }) : null;
    if (!found) throw new NotFoundError(`File ${id}`);
    return found;
  }
}

/** Filter by `path`: the file at the path, or all files in the folder at the path and its subfolders. */
function atOrBelow(queryPath: string | undefined): Prisma.FileWhereInput {
  if (queryPath === undefined || queryPath === '') return {};
  const path = readPath(queryPath, 'query.path');
  return { OR: [{ path }, { path: { startsWith: `${escapeLike(path)}/` } }] };
}

/** Filter by `folder`: the files directly in it; empty means the top level. */
function directlyIn(queryFolder: string | undefined): Prisma.FileWhereInput {
  if (queryFolder === undefined) return {};
  return { folder: queryFolder === '' ? '' : readPath(queryFolder, 'query.folder') };
}
