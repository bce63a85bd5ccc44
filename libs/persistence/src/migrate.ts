import { databaseServer } from './connections/database-server.js';
import { grantRights } from './roles/grant-rights.js';
import { readLogins } from './roles/service-login.js';
import { applyMigrations } from './schema-engine.js';

/**
 * `DATABASE_URL=… node libs/persistence/dist/migrate.js`: applies the missing migrations as the owner of the database, and
 * grants the roles of the services their rights. `DATABASE_URL_<SERVICE>` has the user and password of each service.
 */
const url = process.env['DATABASE_URL'];
if (!url) fail('Set DATABASE_URL to the database to migrate, with its owner as the user');
try {
  const server = databaseServer({ ...process.env, DATABASE_URL: url });
  const applied = await applyMigrations(server);
  await grantRights(server, readLogins(process.env));
  process.stdout.write(applied.length === 0 ? 'Database is up to date\n' : `Applied ${applied.join(', ')}\n`);
  process.exit(0);
} catch (error) {
  fail(error);
}

/** A message that says what to do needs no stack. */
function fail(problem: unknown): never {
  process.stderr.write(`${problem instanceof Error ? problem.message || problem.stack : String(problem)}\n`);
  process.exit(1);
}
