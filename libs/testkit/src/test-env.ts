/** The addresses of the servers that `npm test` starts, and the number of this Jest worker. */
export interface TestEnv {
  /** A database of a Postgres server whose user may create databases. */
  databaseUrl: string;
  redisUrl: string;
  /** Number of this Jest worker, from 1. Separates workers that share a server. */
  worker: number;
  /** Log level of the services under test; `silent` unless TEST_LOG_LEVEL is set. */
  logLevel: string;
}

/** @throws Error naming the variable that is not set */
export function readTestEnv(): TestEnv {
  return {
    databaseUrl: requireVariable('TEST_DATABASE_URL'),
    redisUrl: requireVariable('TEST_REDIS_URL'),
    worker: Number(process.env['JEST_WORKER_ID'] ?? 1),
    logLevel: process.env['TEST_LOG_LEVEL'] ?? 'silent',
  };
}

function requireVariable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set. Run the tests with \`npm test\`, which starts the servers.`);
  return value;
}
