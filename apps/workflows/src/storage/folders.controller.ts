import { Controller } from '@nestjs/common';
import { ApiError, NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { createFolder, deleteFolder, listFolders } from '@millrace/contracts/workflows/storage';
import { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import type { Folder } from '@millrace/persistence/generated/client';
import { DATE_COLUMNS, pageArgs, searchFilter } from '@millrace/persistence/list';
import { inVault } from '@millrace/persistence/tenancy';
import { readPath } from './read-path.js';
import { ensureFolders, lockTree } from './storage-tree.js';

@Controller()
export class FoldersController {
  constructor(private readonly database: Database) {}

  @OperationHandler(createFolder)
  async create({ body }: Input<typeof createFolder>, { caller }: Context): Promise<Result<typeof createFolder>> {
    const { vault: vaultId } = caller;
    if (body.vaultId !== undefined && body.vaultId.toLowerCase() !== vaultId) {
      throw new ApiError('not_found', `Vault ${body.vaultId} does not exist, or you are not signed in to it.`);
    }
    const path = readPath(body.path, 'body.path');
    const { description } = body;
    return this.database.transaction(async (tx) => {
      await lockTree(tx, vaultId);
      await ensureFolders(tx, vaultId, path);
      const where = { vaultId_path: { vaultId, path } };
      const data = description === undefined ? {} : { description };
      return { success: true, folder: toFolder(await tx.folder.update({ where, data })) };
    });
  }

  @OperationHandler(listFolders)
  async list({ query }: Input<typeof listFolders>, { caller }: Context): Promise<Result<typeof listFolders>> {
    const { folder } = this.database.client;
    const parent = query.path === '' ? '' : readPath(query.path, 'query.path');
    if (parent !== '' && !(await folder.findFirst({ where: { ...inVault(caller), path: parent } }))) {
      throw new NotFoundError(`Folder "${parent}"`);
    }
    const where = { ...inVault(caller), parent, ...searchFilter(query.search, ['name', 'description']) };
    const [rows, count] = await Promise.all([
      folder.findMany({ where, ...pageArgs(query, DATE_COLUMNS) }),
      folder.count({ where }),
    ]);
    return { results: rows.map(toFolder), count };
  }

  @OperationHandler(deleteFolder)
  async delete({ query }: Input<typeof deleteFolder>, { caller }: Context): Promise<null> {
    const { vault } = caller;
    const path = readPath(query.path, 'query.path');
    return this.database.transaction(async (tx) => {
      await lockTree(tx, vault);
      const { count } = await tx.folder.deleteMany({ where: { vaultId: vault, path } });
      if (count === 0) throw new NotFoundError(`Folder "${path}"`);
      const prefix = `${path}/`;
      await tx.$executeRaw`DELETE FROM workflows.folder WHERE vault_id = ${vault}::uuid AND starts_with(path, ${prefix})`;
      // In the index's order "0" follows "/", so this range covers all paths that start with `prefix`.
      await tx.$executeRaw`
        DELETE FROM workflows.file
        WHERE vault_id = ${vault}::uuid AND path COLLATE "C" > ${prefix} AND path COLLATE "C" < ${`${path}0`}`;
      return null;
    });
  }
}

const toFolder = (row: Folder): Result<typeof createFolder>['folder'] => ({
  id: row.id,
  path: row.path,
  name: row.name,
  ...(row.parent && { parent: row.parent }),
  ...(row.description && { description: row.description }),
  created_date: row.createdAt.toISOString(),
});
