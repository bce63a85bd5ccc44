import type { PostgresServer } from './postgres-options.js';
import { tlsFilesOf } from './tls-env.js';

/** Where the environment of a service says that its database is. */
export function databaseServer(env: { DATABASE_URL: string }): PostgresServer {
  const tls = tlsFilesOf(env, 'DATABASE');
  return { url: env.DATABASE_URL, ...(tls && { tls }) };
}
