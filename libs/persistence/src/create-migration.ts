import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { PRISMA_FOLDER, readSchemas, withSchemaEngine } from './schema-engine.js';

/**
 * `DATABASE_URL=… node libs/persistence/dist/create-migration.js <name>`: writes the SQL that leads from the last
 * committed schema to the current one. Comparing with a live database does not work, because adapter-pg cannot read the
 * `"char"` columns of the catalog. A test checks that migrations and schema agree.
 */
async function createMigration(databaseUrl: string, name: string): Promise<string | null> {
  const toFiles = (schemas: [string, string][]) => schemas.map(([path, content]) => ({ path, content }));
  const committed = committedSchemas();
  const to = toFiles(await readSchemas());
  const { stdout } = await withSchemaEngine({ url: databaseUrl }, (engine) =>
    engine.diff({
      from: committed.length === 0 ? { tag: 'empty' } : { tag: 'schemaDatamodel', files: toFiles(committed) },
      to: { tag: 'schemaDatamodel', files: to },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    }),
  );
  if (!stdout || stdout.includes('This is an empty migration')) return null;
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const folder = join(PRISMA_FOLDER, 'migrations', `${stamp}_${name}`);
  await mkdir(folder);
  await writeFile(join(folder, 'migration.sql'), stdout);
  return folder;
}

function committedSchemas(): [string, string][] {
  const git = (...args: string[]) => execFileSync('git', ['-C', PRISMA_FOLDER, ...args], { encoding: 'utf8' });
  try {
    const paths = git('ls-tree', '--name-only', '--full-name', 'HEAD', 'schema/').split('\n').filter(Boolean);
    return paths.map((path): [string, string] => [basename(path), git('show', `HEAD:${path}`)]);
  } catch {
    return [];
  }
}

const name = process.argv[2];
const url = process.env['DATABASE_URL'];
if (!url || !name) throw new Error('Usage: DATABASE_URL=… create-migration <name>');
const folder = await createMigration(url, name);
process.stdout.write(
  folder ? `Wrote ${folder}/migration.sql; read it before you commit it\n` : 'The schema has not changed\n',
);
process.exit(0);
