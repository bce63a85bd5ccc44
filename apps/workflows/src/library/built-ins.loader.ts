import { Injectable, type OnModuleInit } from '@nestjs/common';
import { readBuiltIns, type BuiltIn } from '@millrace/library/read-built-ins';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { LibraryModule, Prisma } from '@millrace/persistence/generated/client';
import { hashDefinition } from './writing/release-version.js';

/** Stores the built-in modules in the library before the service handles its first request. */
@Injectable()
export class BuiltInsLoader implements OnModuleInit {
  constructor(private readonly database: Database) {}

  async onModuleInit(): Promise<void> {
    const builtIns = await readBuiltIns();
    await this.database.transaction((tx) => storeBuiltIns(tx, builtIns), { timeoutMs: 60_000 });
  }
}

type Row = LibraryModule & { hash: string | null };

/**
 * Brings the built-in modules in the database up to date: adds new ones, gives changed ones a new version, deletes
 * removed ones. An advisory lock serializes copies of the service that start at the same time.
 */
export async function storeBuiltIns(tx: Transaction, builtIns: readonly BuiltIn[]): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('built-in modules', 0))`;
  const stored = await readStored(tx);
  for (const builtIn of builtIns) await storeBuiltIn(tx, builtIn, stored.get(builtIn.id));
  const ids = builtIns.map(({ id }) => id);
  await tx.libraryModule.deleteMany({ where: { vaultId: null, id: { notIn: ids } } });
}

async function readStored(tx: Transaction): Promise<Map<string, Row>> {
  const rows = await tx.libraryModule.findMany({
    where: { vaultId: null },
    include: { versions: { orderBy: { number: 'desc' }, take: 1, select: { definitionHash: true } } },
  });
  return new Map(rows.map(({ versions, ...row }) => [row.id, { ...row, hash: versions[0]?.definitionHash ?? null }]));
}

async function storeBuiltIn(tx: Transaction, builtIn: BuiltIn, row: Row | undefined): Promise<void> {
  const { id, definition } = builtIn;
  const metadata = toMetadata(builtIn);
  const definitionHash = hashDefinition(definition);
  const isNewVersion = row?.hash !== definitionHash;
  const latest = (row?.latest ?? 0) + (isNewVersion ? 1 : 0);
  if (!row) await tx.libraryModule.create({ data: { id, ...metadata, latest } });
  else if (isNewVersion || differs(row, metadata))
    await tx.libraryModule.update({ where: { id }, data: { ...metadata, latest } });
  if (!isNewVersion) return;
  const json = definition as Prisma.InputJsonObject;
  await tx.libraryModuleVersion.create({ data: { moduleId: id, number: latest, definition: json, definitionHash } });
}

const toMetadata = ({ type, file }: BuiltIn) => ({
  type,
  name: file.name,
  description: file.description ?? null,
  category: file.category ?? null,
  sourceUrl: file.source_url ?? null,
  docLink: file.doc_link ?? null,
  licenseInfo: file.license_info ?? null,
});

const differs = (row: Row, metadata: ReturnType<typeof toMetadata>): boolean =>
  (Object.keys(metadata) as (keyof typeof metadata)[]).some((key) => row[key] !== metadata[key]);
