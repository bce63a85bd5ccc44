import { createHash } from 'node:crypto';
import { type ModuleDefinition, moduleReleased } from '@millrace/contracts/workflows/library';
import type { Transaction } from '@millrace/persistence/database';
import type { Prisma } from '@millrace/persistence/generated/client';
import { canonicalJson } from '../../versions/saving/encode-data.js';
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

/** The texts that are set; an empty one becomes null and clears the column. */
export function toNullable<F extends { [K in keyof F]: string | undefined }>(
  texts: F,
): { [K in keyof F]?: string | null } {
  const entries = Object.entries<string | undefined>(texts).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value || null]],
  );
  return Object.fromEntries(entries) as { [K in keyof F]?: string | null };
}
