import { createHash } from 'node:crypto';
import type { ModuleDefinition } from '@millrace/contracts/workflows/library';
import { moduleReleased } from '@millrace/contracts/workflows/library';
import type { Transaction } from '@millrace/persistence/database';
import type { Prisma } from '@millrace/persistence/generated/client';
import { canonicalJson } from '../../versions/saving/canonical-json.js';
import type { ModuleRow } from '../module-row.js';

/** Equal for equal definitions, whatever the order of their keys. */
export const hashDefinition = (definition: ModuleDefinition): string =>
  createHash('sha256').update(canonicalJson(definition)).digest('hex');

/** Inserts version `latest` of a vault's module and emits the event. */
export async function releaseVersion(
  tx: Transaction,
  module: ModuleRow & { vaultId: string },
  author: string,
): Promise<void> {
  const { id, latest: number, definition, type, name, vaultId: vault } = module;
  const { createdAt } = await tx.libraryModuleVersion.create({
    data: {
      moduleId: id,
      number,
      definition: definition as Prisma.InputJsonObject,
      definitionHash: hashDefinition(definition),
      author,
    },
  });
  tx.emit(moduleReleased, { module: id, type, name, vault, number, author, at: createdAt.toISOString() });
}
