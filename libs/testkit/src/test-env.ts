/** Addresses of the servers that `npm test` brings up, and who this Jest worker is among the others. */
export interface TestEnv {
  /** A database of a Postgres server whose user may create databases. */
  databaseUrl: string;
  redisUrl: string;
  /** From 1; keeps workers that share a server apart. */
  worker: number;
  /** What the services under test say; nothing where TEST_LOG_LEVEL is not set. */
  logLevel: string;
}

/** @throws Error naming the variable that is not set */
export function readTestEnv(): TestEnv {
  return {
    databaseUrl: required('TEST_DATABASE_URL'),
    redisUrl: required('TEST_REDIS_URL'),
    worker: Number(process.env['JEST_WORKER_ID'] ?? 1),
    logLevel: process.env['TEST_LOG_LEVEL'] ?? 'silent',
  };
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests by \`npm test\`, which brings the servers up`);
  return value;
}
