import { Controller } from '@nestjs/common';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import {
  createModule,
  deleteModule,
  getModule,
  listCategories,
  listModules,
  updateModule,
} from '@millrace/contracts/workflows/library';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { omitUndefined } from '@millrace/persistence/omit-undefined';
import { inVault } from '@millrace/persistence/tenancy';
import { findModulePage } from './find-module-page.js';
import { findModuleForUpdate, findModuleByName } from './find-module.js';
import { visibleTo, toModule, toModuleWithNode } from './module-row.js';
import { readModule, refuseBrokenModule } from './writing/read-module.js';
import { releaseVersion, toNullable } from './writing/release-version.js';
import { wrapSnapshot } from './writing/wrap-snapshot.js';

const MAX_CATEGORIES = 1_000;

@Controller()
export class ModulesController {
  constructor(private readonly database: Database) {}

  @OperationHandler(listModules)
  async list({ query }: Input<typeof listModules>, { caller }: Context): Promise<Result<typeof listModules>> {
    const { rows, count } = await findModulePage(this.database.client, query, caller.vault);
    return { results: rows.map(toModule), count };
  }

  @OperationHandler(listCategories)
  async categories(_input: Input<typeof listCategories>, { caller }: Context): Promise<Result<typeof listCategories>> {
    const results = await this.database.client.$queryRaw<{ name: string; count: number }[]>`
      SELECT m.category AS name, count(*)::int AS count FROM workflows.library_module m
      WHERE m.category IS NOT NULL AND ${visibleTo(caller.vault)} GROUP BY m.category ORDER BY m.category
      LIMIT ${MAX_CATEGORIES}`;
    return { results };
  }

  @OperationHandler(getModule)
  async get({ params }: Input<typeof getModule>, { caller }: Context): Promise<Result<typeof getModule>> {
    return toModuleWithNode(await findModuleByName(this.database.client, params.id, caller));
  }

  /** Names need not be unique, as with workflows: nodes and clients identify a module by its id. */
  @OperationHandler(createModule)
  async create({ body }: Input<typeof createModule>, { caller }: Context): Promise<Result<typeof createModule>> {
    const input = readModule(body);
    const { name, type, metadata, wraps } = input;
    if (name === undefined) throw new ValidationError({ 'body.name': 'is required' });
    refuseBrokenModule(input);
    return this.database.transaction(async (tx) => {
      const wrapped = wraps && (await wrapSnapshot(tx, caller.vault, wraps));
      const definition = { ...input.definition, ...wrapped };
      const ownership = { ...inVault(caller), author: caller.user, latest: 1 };
      const data = { id: newId(), name, type, ...ownership, ...toNullable(metadata) };
      const created = { ...(await tx.libraryModule.create({ data })), type, definition, ...inVault(caller) };
      await releaseVersion(tx, created, caller.user);
      return toModuleWithNode(created);
    });
  }

  @OperationHandler(updateModule)
  async update(
    { params, body }: Input<typeof updateModule>,
    { caller }: Context,
  ): Promise<Result<typeof updateModule>> {
    return this.database.transaction(async (tx) => {
      const { id, type, definition, available = true } = await findModuleForUpdate(tx, params.id, caller);
      const { name, description } = body;
      const data = { ...omitUndefined({ name }), ...toNullable({ description }) };
      return toModule({ ...(await tx.libraryModule.update({ where: { id }, data })), type, definition, available });
    });
  }

  @OperationHandler(deleteModule)
  async delete({ params }: Input<typeof deleteModule>, { caller }: Context): Promise<null> {
    return this.database.transaction(async (tx) => {
      const { id } = await findModuleForUpdate(tx, params.id, caller);
      await tx.libraryModule.delete({ where: { id } });
      return null;
    });
  }
}
