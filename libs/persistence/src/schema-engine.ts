import { readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm';
import { postgresOptions, type PostgresServer } from './connections/postgres-options.js';
import { retryScript } from './retry-script.js';

/** Folder of the schema files and migrations; the same from `dist/` and `src/`. */
export const PRISMA_FOLDER = join(import.meta.dirname, '../../../prisma');

/**
 * Runs the schema engine of Prisma as WebAssembly, on an ordinary connection, so migrations apply without the binary
 * that the `prisma` command would download. The module is instantiated by hand because Node does not load `.wasm` by
 * import.
 * @returns the result of `execute`, after the connections of the engine are closed. The engine leaves them open, and
 * they hold the lock against concurrent migrations.
 */
export async function withSchemaEngine<T>(
  server: PostgresServer,
  execute: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  const { SchemaEngine: Engine } = await loadEngine();
  const adapter = new PrismaPg(toFields(server));
  const connections: { dispose(): Promise<void> }[] = [];
  const connect = adapter.connect.bind(adapter);
  adapter.connect = async () => {
    const connection = await connect();
    connections.push(connection);
    // Executes a script as a whole, atomically. adapter-pg would split it at every semicolon, even within functions.
    connection.executeScript = (script) =>
      retryScript((sql) => connection.executeRaw({ sql, args: [], argTypes: [] }), script);
    return connection;
  };
  const datamodels = await readSchemas();
  const engine = await Engine.new({ datamodels }, () => undefined, bindMigrationAwareSqlAdapterFactory(adapter));
  try {
    return await execute(engine);
  } finally {
    engine.free();
    await Promise.all(connections.map((connection) => connection.dispose()));
  }
}

/** Separate fields instead of a connection string: with a string, the shadow database would be the real one. */
function toFields(server: PostgresServer) {
  const url = new URL(server.url);
  return {
    host: url.hostname,
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: url.pathname.slice(1),
    ssl: postgresOptions(server).ssl,
  };
}

let loaded: Promise<Bindings> | undefined;

/** Once per process: the bindings serve one instance, and a second would write into the memory of the first. */
const loadEngine = (): Promise<Bindings> => (loaded ??= instantiate());

async function instantiate(): Promise<Bindings> {
  const bindings = (await import('@prisma/schema-engine-wasm/schema_engine_bg')) as Bindings;
  const resolve = createRequire(import.meta.url).resolve;
  const file = resolve('@prisma/schema-engine-wasm/schema_engine_bg').replace(/\.js$/, '.wasm');
  const module = await WebAssembly.instantiate(await readFile(file), {
    './schema_engine_bg.js': unrefTimers(bindings),
  });
  bindings.__wbg_set_wasm(module.instance.exports);
  (module.instance.exports['__wbindgen_start'] as () => void)();
  return bindings;
}

/** The engine leaves a timer of ten seconds (for its lock), which must not keep the process alive. */
function unrefTimers(bindings: Bindings): WebAssembly.ModuleImports {
  const start = (callback: () => void, ms: number) => setTimeout(callback, ms >>> 0).unref();
  const timers = Object.keys(bindings).filter((name) => name.startsWith('__wbg_setTimeout_'));
  return { ...bindings, ...Object.fromEntries(timers.map((name) => [name, start])) };
}

interface Bindings extends WebAssembly.ModuleImports {
  __wbg_set_wasm(exports: WebAssembly.Exports): void;
  SchemaEngine: typeof SchemaEngine;
}

export async function readSchemas(): Promise<[string, string][]> {
  const folder = join(PRISMA_FOLDER, 'schema');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.prisma')).sort();
  return Promise.all(
    names.map(async (name): Promise<[string, string]> => [name, await readFile(join(folder, name), 'utf8')]),
  );
}

/** The migrations on disk, in order. */
export async function readMigrations(): Promise<MigrationList> {
  const baseDir = join(PRISMA_FOLDER, 'migrations');
  const names = (await readdir(baseDir, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const read = async (path: string) => readFile(join(baseDir, path), 'utf8');
  return {
    baseDir,
    lockfile: { path: 'migration_lock.toml', content: await read('migration_lock.toml') },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names
        .map((entry) => entry.name)
        .sort()
        .map(async (path) => ({
          path,
          migrationFile: {
            path: 'migration.sql',
            content: { tag: 'ok' as const, value: await read(join(path, 'migration.sql')) },
          },
        })),
    ),
  };
}

const NO_FILTER = { externalTables: [], externalEnums: [] };

/**
 * Applies the missing migrations to a database, each in its own transaction, and records them in the table of Prisma.
 * @param names the migrations to apply, by default all; a restore needs the ones of its backup first
 * @returns names of the applied migrations; empty if the database was up to date
 */
export async function applyMigrations(server: PostgresServer, names?: readonly string[]): Promise<string[]> {
  return withSchemaEngine(server, async (engine) => {
    const all = await readMigrations();
    const chosen = all.migrationDirectories.filter(({ path }) => names === undefined || names.includes(path));
    const migrationsList = { ...all, migrationDirectories: chosen };
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters: NO_FILTER });
    return appliedMigrationNames;
  });
}
