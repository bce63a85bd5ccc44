import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { compareTables } from '@millrace/contracts/datasets/run-tables';
import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Result } from '@millrace/contracts/kit/operation';
import { QUERY_CANCELED, sqlStateOf } from '../datasets/sql-states.js';
import { LiveReader } from '../reading/live-reader.js';
import type { LiveShape } from '../reading/live-shape.js';
import type { ReadSession } from '../reading/read-session.js';
import { columnsOf, openComparedTable, type ComparedTable } from './reading/compared-table.js';
import { countRows, type RowCounts } from './reading/count-rows.js';
import { listRows, type ListedRows, type PageSpace, type RowPlace } from './reading/list-rows.js';
import { UnknownRowsError, type RunSide } from './sides/run-side.js';

type TableResult = Omit<Result<typeof compareTables>['results'][number], 'name' | 'primary_key'>;
type Sides = { a: RunSide; b: RunSide };

/** Compares what two runs have loaded into one table. The caller's access has been checked. */
@Injectable()
export class TableComparer {
  constructor(private readonly reader: LiveReader) {}

  /**
   * Counts rows by change. If they cannot be counted within the time limit, which includes waiting for other queries, the
   * result says so.
   * @throws NotFoundError if the table was deleted
   */
  async count(shape: LiveShape, sides: Sides, user: string, timeoutMs: number): Promise<TableResult> {
    try {
      const count = async (session: ReadSession, table: ComparedTable) => ({
        found: await countRows(session, table),
        columns: compareColumns(table),
      });
      const counted = this.read(shape, sides, user, timeoutMs, count);
      const { found, columns } = await withDeadline(counted, timeoutMs);
      return toResult(shape, sides, found, { counts: found.counts, columns });
    } catch (error) {
      const { reason, message } = toUnknownRows(error);
      return toResult(shape, sides, null, { counts: null, reason, message, columns: NO_COLUMNS });
    }
  }

  /** Lists rows of one change. @throws ValidationError if they are not known */
  async list(
    shape: LiveShape,
    sides: Sides,
    user: string,
    { place, space }: { place: RowPlace; space: PageSpace },
  ): Promise<ListedRows> {
    try {
      return await this.read(shape, sides, user, undefined, (session, table) => listRows(session, table, place, space));
    } catch (error) {
      if (!(error instanceof UnknownRowsError)) throw error;
      throw new ValidationError({ 'params.dataset': error.message, reason: error.reason }, error.message);
    }
  }

  private read<T>(
    shape: LiveShape,
    { a, b }: Sides,
    user: string,
    timeoutMs: number | undefined,
    work: (session: ReadSession, table: ComparedTable) => Promise<T>,
  ): Promise<T> {
    const problem = a.problem ?? b.problem;
    if (problem) return Promise.reject(new UnknownRowsError(problem));
    return this.reader.read(
      user,
      [shape],
      (session, [current = shape]) =>
        openComparedTable(session, current, { a, b })
          .then((table) => work(session, table))
          .catch(explainTimeout),
      timeoutMs,
    );
  }
}

/** The statements have no input of the user, so a query that Postgres or the session rejects has exceeded its time. */
function explainTimeout(error: unknown): never {
  const isTimeout = error instanceof ValidationError || sqlStateOf(error) === QUERY_CANCELED;
  throw isTimeout ? new UnknownRowsError('timeout') : error;
}

function toUnknownRows(error: unknown): UnknownRowsError {
  if (error instanceof UnknownRowsError) return error;
  if (error instanceof ApiError && error.code === 'rate_limited') {
    return new UnknownRowsError('busy');
  }
  throw error;
}

/** The work continues after its deadline until Postgres cancels it, and its result is ignored. */
async function withDeadline<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const waiting = new AbortController();
  const expire = async (): Promise<never> => {
    await sleep(timeoutMs, undefined, { signal: waiting.signal, ref: false });
    throw new UnknownRowsError('timeout');
  };
  const expired = expire();
  for (const promise of [work, expired]) void promise.catch(() => undefined);
  return Promise.race([work, expired]).finally(() => waiting.abort());
}

const NO_COLUMNS = { only_in_a: [], only_in_b: [] };

/** A run that loaded nothing has no columns that could differ. */
function compareColumns(table: ComparedTable): TableResult['columns'] {
  if (table.a.length === 0 || table.b.length === 0) return NO_COLUMNS;
  const [inA, inB] = [columnsOf(table, table.a), columnsOf(table, table.b)].map((columns) =>
    columns.map(({ name }) => name),
  );
  const without = (names: string[] = [], others: string[] = []) => names.filter((name) => !others.includes(name));
  return { only_in_a: without(inA, inB), only_in_b: without(inB, inA) };
}

function toResult(
  { id }: LiveShape,
  sides: Sides,
  found: RowCounts | null,
  outcome: Pick<TableResult, 'counts' | 'reason' | 'message' | 'columns'>,
): TableResult {
  const toSide = (side: 'a' | 'b') => ({
    load: sides[side].load,
    rows: found?.[side].rows ?? null,
    deleted: found?.[side].deleted ?? null,
    rejected: sides[side].rejected,
  });
  return { dataset: id, a: toSide('a'), b: toSide('b'), ...outcome };
}
