import { randomBytes } from 'node:crypto';
import { databaseUrl } from './own-system.js';
import { queryDatabase } from './query-database.js';

/**
 * Inserts a worker that exists in the database only, so that tests take no worker out of service that others need. It is in
 * the fleet `gpu`, which no workflow of the tests asks for.
 * @param connectedFor how long it counts as connected beyond the time without heartbeats after which a worker is lost
 * @returns its id
 */
export async function insertWorker(connectedFor: '0 s' | '1 hour' = '0 s'): Promise<string> {
  const id = `w-${randomBytes(8).toString('hex')}`;
  await queryDatabase(
    databaseUrl(process.env['TEST_DATA_DIR'] ?? ''),
    `INSERT INTO runs.worker (id, host, slots, fleet, labels, memory, version, isolated, programs, last_seen)
      VALUES ($1, 'gpu-1.example.org', 8, 'gpu', '{"gpu": "true"}', '{"small": 1, "medium": 2, "large": 3}', '0.1.0', true, '{bash}', now() + $2::interval)`,
    [id, connectedFor],
  );
  return id;
}

/** Inserts a fleet without workers. @returns its name */
export async function insertFleet(): Promise<string> {
  const name = `old-${randomBytes(4).toString('hex')}`;
  await queryDatabase(
    databaseUrl(process.env['TEST_DATA_DIR'] ?? ''),
    `INSERT INTO runs.fleet (name, labels, sizes, last_seen) VALUES ($1, '{"gpu": "true"}', '{small}', now())`,
    [name],
  );
  return name;
}
