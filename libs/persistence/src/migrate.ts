import { applyMigrations } from './schema-engine.js';

/** `DATABASE_URL=… node libs/persistence/dist/migrate.js`: applies the missing migrations. */
const url = process.env['DATABASE_URL'];
if (!url) throw new Error('Set DATABASE_URL to the database to migrate');
const applied = await applyMigrations(url);
process.stdout.write(applied.length === 0 ? 'Database is up to date\n' : `Applied ${applied.join(', ')}\n`);
process.exit(0);
