import { readMigrations, withSchemaEngine } from './schema-engine.js';

const NO_FILTER = { externalTables: [], externalEnums: [] };

/**
 * Applies the migrations that a database lacks, each in a transaction of its own, and keeps Prisma's table of them.
 * @returns names of those applied now; empty where the database was up to date
 */
export async function applyMigrations(databaseUrl: string): Promise<string[]> {
  return withSchemaEngine(databaseUrl, async (engine) => {
    const migrationsList = await readMigrations();
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters: NO_FILTER });
    return appliedMigrationNames;
  });
}
