import { queryDatabase } from '../../support/query-database.js';
import type { Edge } from '../cases/fault-case.js';

interface ChangedRow {
  table: string;
  operation: 'INSERT' | 'UPDATE';
  /** The change that is the edge. */
  when: string;
  /** Column with the object that the edge is about; missing if it is about a run, because only one runs at a time. */
  subject?: string;
}

/** The row that changes at each edge. An output that is stored changes no row. */
export const CHANGED_ROWS: Readonly<Record<Exclude<Edge, 'output-stored'>, ChangedRow>> = {
  claim: { ...update('runs.dispatch'), when: 'OLD.worker IS NULL AND NEW.worker IS NOT NULL' },
  start: {
    ...update('runs.subjob'),
    when: `NEW.node = 'last-1' AND OLD.status = 'PENDING' AND NEW.status = 'RUNNING'`,
  },
  report: {
    ...update('runs.subjob'),
    when: `NEW.node = 'each-1' AND NEW.task = 2 AND OLD.status <> 'SUCCEEDED' AND NEW.status = 'SUCCEEDED'`,
  },
  // The segments of the workflow are the source, its split, the children, and the rest.
  gather: {
    ...update('runs.task'),
    when: `NEW.segment = 3 AND OLD.state = 'WAITING' AND NEW.state <> 'WAITING'`,
  },
  'cache-write': { table: 'runs.cache_entry', operation: 'INSERT', when: 'true' },
  'last-report': { ...update('runs.run'), when: 'OLD.finished_at IS NULL AND NEW.finished_at IS NOT NULL' },
  stop: { ...update('runs.run'), when: `OLD.status <> 'STOPPING' AND NEW.status = 'STOPPING'` },
  pause: { ...update('runs.run'), when: 'OLD.paused_at IS NULL AND NEW.paused_at IS NOT NULL' },
  approval: { ...update('runs.approval'), when: 'OLD.decision IS NULL AND NEW.decision IS NOT NULL' },
  retry: { ...update('runs.run'), when: 'OLD.finished_at IS NOT NULL AND NEW.finished_at IS NULL' },
  collection: {
    ...update('contents.unused'),
    subject: 'sha256',
    when: `OLD.state <> 'DELETING' AND NEW.state = 'DELETING'`,
  },
};

function update(table: string) {
  return { table, operation: 'UPDATE' as const };
}

/**
 * Adds triggers to the database of a test system that make transactions wait at an edge while a test has closed its gate.
 * The gate `at` waits within the transaction, the gate `after` waits in the COMMIT.
 */
export async function installGates(database: string): Promise<void> {
  const triggers = Object.entries(CHANGED_ROWS).flatMap(([edge, { table, operation, when, subject = '' }]) =>
    (['at', 'after'] as const).map(
      (moment) => `
        CREATE CONSTRAINT TRIGGER "gate_${moment}_${edge}" AFTER ${operation} ON ${table}
        DEFERRABLE INITIALLY ${moment === 'at' ? 'IMMEDIATE' : 'DEFERRED'} FOR EACH ROW WHEN (${when})
        EXECUTE FUNCTION gates.pass('${edge}', '${moment}', '${subject}');`,
    ),
  );
  await queryDatabase(
    database,
    `CREATE SCHEMA gates;
    CREATE TABLE gates.closed (edge text, moment text, subject text, lock bigint NOT NULL, PRIMARY KEY (edge, moment, subject));
    CREATE FUNCTION gates.pass() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    DECLARE closed bigint;
    BEGIN
      SELECT lock INTO closed FROM gates.closed
      WHERE edge = TG_ARGV[0] AND moment = TG_ARGV[1] AND subject IN ('*', to_jsonb(NEW) ->> TG_ARGV[2]);
      IF FOUND THEN PERFORM pg_advisory_xact_lock_shared(closed); END IF;
      RETURN NULL;
    END $$;
    ${triggers.join('')}`,
  );
}
