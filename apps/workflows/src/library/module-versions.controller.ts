import { Controller } from '@nestjs/common';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { type ModuleDefinition, createModuleVersion, listModuleVersions } from '@millrace/contracts/workflows/library';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { DATE_COLUMNS, pageArgs } from '@millrace/persistence/list';
import { findModule, findModuleForUpdate } from './find-module.js';
import { LISTED_DEFINITION, toModuleWithNode } from './module-row.js';
import { readModule, refuseBrokenModule } from './writing/read-module.js';
import { hashDefinition, releaseVersion, toNullable } from './writing/release-version.js';
import { wrapSnapshot } from './writing/wrap-snapshot.js';

@Controller()
export class ModuleVersionsController {
  constructor(private readonly database: Database) {}

  @OperationHandler(listModuleVersions)
  async list(
    { params, query }: Input<typeof listModuleVersions>,
    { caller }: Context,
  ): Promise<Result<typeof listModuleVersions>> {
    const { client } = this.database;
    const { id } = await findModule(client, params.id, caller);
    const where = { moduleId: id };
    const [rows, count] = await Promise.all([
      client.libraryModuleVersion.findMany({
        where,
        ...pageArgs(query, DATE_COLUMNS, 'number'),
        omit: { definition: true },
      }),
      client.libraryModuleVersion.count({ where }),
    ]);
    const numbers = rows.map(({ number }) => number);
    const found = await client.$queryRaw<{ number: number; definition: ModuleDefinition }[]>`
      SELECT v.number, ${LISTED_DEFINITION} AS definition FROM workflows.library_module_version v
      WHERE v.module_id = ${id}::uuid AND v.number = ANY(${numbers}::int[])`;
    const definitions = new Map(found.map(({ number, definition }) => [number, definition]));
    const results = rows.map(({ number, author, createdAt }) => ({
      ...definitions.get(number),
      number,
      ...(author !== null && { author }),
      created_date: createdAt.toISOString(),
    }));
    return { results, count };
  }

  /** A name in the file does not rename the module. */
  @OperationHandler(createModuleVersion)
  async create(
    { params, body }: Input<typeof createModuleVersion>,
    { caller }: Context,
  ): Promise<Result<typeof createModuleVersion>> {
    const module = await findModule(this.database.client, params.id, caller);
    const input = readModule({ ...(body.yaml === undefined && { type: module.type }), ...body });
    if (input.type !== module.type) {
      const field = body.yaml === undefined ? 'body.type' : 'body.yaml';
      throw new ValidationError({ [field]: `must be of type ${module.type} like the module (got ${input.type})` });
    }
    refuseBrokenModule({ ...input, name: module.name });
    return this.database.transaction(async (tx) => {
      const current = await findModuleForUpdate(tx, params.id, caller);
      const wrapped = input.wraps && (await wrapSnapshot(tx, caller.vault, input.wraps));
      const definition = { ...input.definition, ...wrapped };
      const changed = hashDefinition(definition) !== hashDefinition(current.definition);
      const metadata = toNullable(input.metadata);
      if (!changed && Object.keys(metadata).length === 0) return toModuleWithNode(current);
      const latest = current.latest + (changed ? 1 : 0);
      const row = await tx.libraryModule.update({ where: { id: current.id }, data: { latest, ...metadata } });
      const next = { ...row, type: current.type, vaultId: current.vaultId, definition };
      if (changed) await releaseVersion(tx, next, caller.user);
      return toModuleWithNode(next);
    });
  }
}
