import type { Database } from '@millrace/persistence/database';
import { BATCH_SIZE } from './condemn-released.js';

/**
 * Arms objects that have been condemned for the grace period: from the commit on, a transaction that refers to one locks
 * it. @returns how many
 */
export const armCondemned = ({ client }: Database, graceSeconds: number): Promise<number> => client.$executeRaw`
  UPDATE contents.unused SET state = 'ARMED', fence = NULL WHERE sha256 = ANY(ARRAY(
    SELECT sha256 FROM contents.unused
    WHERE state = 'CONDEMNED' AND condemned_at <= now() - ${graceSeconds}::int * interval '1 s'
    ORDER BY condemned_at LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED))`;

/**
 * Sets the fence of armed objects. A transaction that did not see an object as armed had its id before the arming was
 * committed, and this statement gets its own id after that: all such transactions have lower ids. It must not be part of
 * the transaction that arms.
 */
export const fenceArmed = ({ client }: Database): Promise<number> => client.$executeRaw`
  UPDATE contents.unused SET fence = pg_current_xact_id()::text::bigint WHERE sha256 = ANY(ARRAY(
    SELECT sha256 FROM contents.unused WHERE state = 'ARMED' AND fence IS NULL
    LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED))`;
