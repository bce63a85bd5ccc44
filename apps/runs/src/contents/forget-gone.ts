import type { Database } from '@millrace/persistence/database';
import { BATCH_SIZE } from './condemn-released.js';

/**
 * Longest time from storing a content to referring to it, unless a worker does it for a dispatch. Caches of hashes that
 * the services keep in memory are shorter.
 */
const MAX_UNREPORTED_DAYS = 7;

/**
 * Deletes the records of objects that are gone. A dispatch may last for any time, and its worker may have found the content
 * stored before it was deleted, so the records stay until all dispatches of that time have ended. @returns how many
 */
export const forgetGone = ({ client }: Database): Promise<number> => client.$executeRaw`
  DELETE FROM contents.unused WHERE sha256 = ANY(ARRAY(
    SELECT sha256 FROM contents.unused
    WHERE state = 'GONE' AND gone_at < now() - ${MAX_UNREPORTED_DAYS}::int * interval '1 day'
      AND gone_at < coalesce((SELECT min(created_at) FROM runs.dispatch), now())
    LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED))`;
