import { expect } from '@jest/globals';
import { eventually } from '@millrace/testkit/eventually';
import { queryDatabase } from './query-database.js';

/** Finished runs whose execution units differ from their ledger entries or from the sum over their subjobs. */
const WRONG_RUNS = `
  SELECT r.id::text, r.execution_units::float8 AS shown, s.units AS subjobs, e.units AS entered
  FROM runs.run r
  CROSS JOIN LATERAL (SELECT coalesce(sum(execution_units), 0)::float8 AS units FROM runs.subjob WHERE run_id = r.id) s
  LEFT JOIN (SELECT run, sum(units)::float8 AS units FROM billing.usage_entry GROUP BY run) e ON e.run = r.id
  WHERE r.finished_at IS NOT NULL AND r.deleted_at IS NULL
    AND (r.execution_units <> s.units OR r.execution_units <> coalesce(e.units, 0))`;

/** Months that are not the sum of their entries. */
const WRONG_MONTHS = `
  SELECT p.* FROM billing.usage_period p
  FULL JOIN (
    SELECT vault_id, date_trunc('month', finished_at AT TIME ZONE 'UTC')::date AS month, sum(units) AS units, count(*) AS subjobs
    FROM billing.usage_entry GROUP BY 1, 2) e ON e.vault_id = p.vault_id AND e.month = p.month
  WHERE p.units IS DISTINCT FROM e.units OR p.subjobs IS DISTINCT FROM e.subjobs`;

/** Expects that the ledger has the execution units of every finished run, and that each month is the sum of its entries. */
export const expectBilled = (database: string): Promise<void> =>
  eventually(async () => {
    expect(await queryDatabase(database, WRONG_RUNS)).toEqual([]);
    expect(await queryDatabase(database, WRONG_MONTHS)).toEqual([]);
  });
