import { readMigrations, withSchemaEngine } from './schema-engine.js';

const NO_FILTER = { externalTables: [], externalEnums: [] };

/**
 * Applies the missing migrations to a database, each in its own transaction, and records them in the table of Prisma.
 * @returns names of the applied migrations; empty if the database was up to date
 */
export async function applyMigrations(databaseUrl: string): Promise<string[]> {
  return withSchemaEngine(databaseUrl, async (engine) => {
    const migrationsList = await readMigrations();
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters: NO_FILTER });
    return appliedMigrationNames;
  });
}
