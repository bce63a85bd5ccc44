import { readMigrations, openSchemaEngine } from './schema-engine.js';

const NO_FILTER = { externalTables: [], externalEnums: [] };

/**
 * Applies the migrations that a database lacks, each in a transaction of its own, and keeps Prisma's table of them.
 * @returns names of those applied now; empty where the database was up to date
 */
export async function applyMigrations(databaseUrl: string): Promise<string[]> {
  const engine = await openSchemaEngine(databaseUrl);
  try {
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList: await readMigrations(),
      filters: NO_FILTER,
    });
    return appliedMigrationNames;
  } finally {
    engine.free();
  }
}
