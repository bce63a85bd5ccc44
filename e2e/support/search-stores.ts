import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { databaseUrl, redisOptions } from './own-system.js';

/** Where one of the texts stands in clear: in tables of Postgres, in Redis, or in what JetStream keeps. */
export async function searchStores(folder: string, texts: readonly string[]): Promise<string[]> {
  const holds = (bytes: Buffer | string) => texts.some((text) => bytes.includes(text));
  return [
    ...(await searchTables(folder, holds)),
    ...(await searchRedis(folder, holds)),
    ...searchFiles(join(folder, 'nats'), holds),
  ];
}

export type Holds = (bytes: Buffer | string) => boolean;

async function searchTables(folder: string, holds: Holds): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl(folder) });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string }>(`SELECT row_to_json(t)::text AS text FROM ${name} t`);
      if (rows.some(({ text }) => holds(text) || holds(decodeBytes(text)))) found.push(name);
    }
    if (tables.length < 20) throw new Error('There are hardly any tables: is this the right database?');
    return found;
  } finally {
    await client.end();
  }
}

/** What stands in columns of bytes, which JSON shows in hex. */
const decodeBytes = (text: string): Buffer =>
  Buffer.concat([...text.matchAll(/\\\\x([0-9a-f]+)/g)].map(([, hex]) => Buffer.from(hex ?? '', 'hex')));

async function searchRedis(folder: string, holds: Holds): Promise<string[]> {
  const redis = new Redis({ ...redisOptions(folder), lazyConnect: true });
  await redis.connect();
  try {
    const found: string[] = [];
    for (const key of await redis.keys('*')) if (holds(key) || holds(await readKey(redis, key))) found.push(key);
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

/** Files below a folder that hold one of the texts. */
export function searchFiles(folder: string, holds: Holds): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return entries.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => holds(readIfThere(path)));
}

/** Files of a server at work come and go. */
function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}
