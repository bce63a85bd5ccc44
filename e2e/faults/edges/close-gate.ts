import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Edge, Moment } from '../cases/fault-case.js';

/** A gate in the database of a system. The transaction that reaches it waits until it is opened. */
export interface Gate {
  /** Resolves when a transaction waits. @returns the local port of the client that waits, and the id of its server process */
  reached(): Promise<Waiting>;
  /** Lets the transaction continue, and all later ones. Also after the database was killed, which opens the gate. */
  open(): Promise<void>;
}

export interface Waiting {
  pid: number;
  port: number;
}

export interface ClosedFor {
  edge: Exclude<Edge, 'output-stored'>;
  moment: Moment;
  /** The hash of an object, or `*` for all runs. */
  subject: string;
}

/** Much longer than a run takes to any edge; the collector takes longest. */
const REACH_TIMEOUT_MS = 60_000;

/** Closes the gate at an edge. The lock belongs to a connection of its own. */
export async function closeGate(database: string, { edge, moment, subject }: ClosedFor): Promise<Gate> {
  const lock = randomInt(1, 2 ** 31);
  const client = new Client({ connectionString: database });
  // The database may be killed at the edge.
  client.on('error', () => undefined);
  await client.connect();
  await client.query('SELECT pg_advisory_lock($1::bigint)', [lock]);
  // A gate that was open when Postgres was killed has left its row.
  await client.query(
    `INSERT INTO gates.closed (edge, moment, subject, lock) VALUES ($1, $2, $3, $4)
     ON CONFLICT (edge, moment, subject) DO UPDATE SET lock = excluded.lock`,
    [edge, moment, subject, lock],
  );
  const find = async () => {
    const { rows } = await client.query<Waiting>(
      `SELECT l.pid, a.client_port AS port FROM pg_locks l JOIN pg_stat_activity a USING (pid)
       WHERE l.locktype = 'advisory' AND NOT l.granted AND l.objid = $1::bigint::oid LIMIT 1`,
      [lock],
    );
    return rows[0];
  };
  return {
    reached: async () => {
      for (const deadline = Date.now() + REACH_TIMEOUT_MS; ; await sleep(5)) {
        const waiting = await find();
        if (waiting) return waiting;
        if (Date.now() > deadline) throw new Error(`No transaction reached the edge ${edge} of ${subject}`);
      }
    },
    open: async () => {
      try {
        await client.query('DELETE FROM gates.closed WHERE lock = $1', [lock]);
      } catch {
        // The database was killed with the lock. Its row without a lock lets every transaction pass.
      }
      await client.end().catch(() => undefined);
    },
  };
}
