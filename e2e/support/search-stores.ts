import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { databaseUrl, redisOptions } from './own-system.js';

/** Searches Postgres, Redis and the files of JetStream for unencrypted texts. @returns the tables, keys and files with a hit */
export async function searchStores(folder: string, texts: readonly string[]): Promise<string[]> {
  const contains = (bytes: Buffer | string) => texts.some((text) => bytes.includes(text));
  return [
    ...(await searchTables(folder, contains)),
    ...(await searchRedis(folder, contains)),
    ...searchFiles(join(folder, 'nats'), contains),
  ];
}

export type Predicate = (bytes: Buffer | string) => boolean;

async function searchTables(folder: string, contains: Predicate): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl(folder) });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string }>(`SELECT row_to_json(t)::text AS text FROM ${name} t`);
      if (rows.some(({ text }) => contains(text) || contains(decodeBytes(text)))) found.push(name);
    }
    if (tables.length < 20) throw new Error('There are hardly any tables: is this the right database?');
    return found;
  } finally {
    await client.end();
  }
}

/** Decodes the columns of bytes, which JSON shows in hex. */
const decodeBytes = (text: string): Buffer =>
  Buffer.concat([...text.matchAll(/\\\\x([0-9a-f]+)/g)].map(([, hex]) => Buffer.from(hex ?? '', 'hex')));

async function searchRedis(folder: string, contains: Predicate): Promise<string[]> {
  const redis = new Redis({ ...redisOptions(folder), lazyConnect: true });
  await redis.connect();
  try {
    const found: string[] = [];
    for (const key of await redis.keys('*')) if (contains(key) || contains(await readKey(redis, key))) found.push(key);
    return found;
  } finally {
    redis.disconnect();
  }
}

async function readKey(redis: Redis, key: string): Promise<string> {
  switch (await redis.type(key)) {
    case 'string':
      return (await redis.get(key)) ?? '';
    case 'hash':
      return Object.entries(await redis.hgetall(key))
        .flat()
        .join('\n');
    case 'list':
      return (await redis.lrange(key, 0, -1)).join('\n');
    case 'set':
      return (await redis.smembers(key)).join('\n');
    case 'zset':
      return JSON.stringify(await redis.zrange(key, '0', '-1'));
    case 'stream':
      return JSON.stringify(await redis.xrange(key, '-', '+'));
    default:
      return '';
  }
}

/** Finds the files below a folder whose content matches. */
export function searchFiles(folder: string, contains: Predicate): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return entries.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => contains(readIfPresent(path)));
}

/** A running server may delete a file after it was listed. */
function readIfPresent(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}
