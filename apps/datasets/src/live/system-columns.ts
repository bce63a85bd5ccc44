import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { checkUuid } from './names.js';

/** A column as libs/query takes it: `sql` is trusted text, made of physical names and numbers. */
export interface QueryColumn {
  name: string;
  type: ColumnType;
  sql: string;
  system: boolean;
  /** False where every row has a value. */
  nullable?: boolean;
}

/** What is known of a source: generations are milliseconds since the epoch. */
export interface SourceState {
  number: number;
  latest: bigint | null;
  complete: bigint | null;
  /** Run of the complete generation; null where it was an upload. */
  completeRun: bigint | null;
}

export interface SystemColumnFacts {
  datasetId: string;
  hasKey: boolean;
  sources: readonly SourceState[];
  /** Names that the user's columns have. */
  taken: ReadonlySet<string>;
}

const timestampSql = (generation: string): string => `to_timestamp(${generation} / 1000.0)`;

/** As a number of a column, which no column of the user's has: the one of ours that an index may be of. */
export const FIRST_SEEN = 0;
export const FIRST_SEEN_SQL = timestampSql('_f');

/**
 * The columns that Millrace keeps, as a query sees them. Where a user's column has the name of one, the user's keeps it
 * and ours gets another `_` in front.
 */
export function systemColumns(facts: SystemColumnFacts): QueryColumn[] {
  const seen = lastSeenSql(facts);
  const columns: [string, ColumnType, string][] = [
    ['_row', 'bigint', '_id'],
    ['_first_seen', 'timestamp', FIRST_SEEN_SQL],
    ...(facts.hasKey ? ([['_last_seen', 'timestamp', timestampSql(seen)]] as [string, ColumnType, string][]) : []),
    ['_run', 'bigint', runSql(facts, seen)],
    ['_subjob', 'bigint', '_j'],
    ...(facts.hasKey ? ([['_state', 'text', stateSql(facts)]] as [string, ColumnType, string][]) : []),
  ];
  return columns.map(([name, type, sql]) => ({
    name: freeName(name, facts.taken),
    type,
    sql,
    system: true,
    nullable: !NON_NULL_COLUMNS.has(name),
  }));
}

/** What every row has a value of. */
const NON_NULL_COLUMNS = new Set(['_row', '_first_seen', '_state']);

export const nameFirstSeenColumn = (taken: ReadonlySet<string>): string => freeName('_first_seen', taken);

function freeName(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? freeName(`_${name}`, taken) : name;
}

/** Trusted SQL of the generation that saw a row last. */
export function lastSeenSql({ hasKey, sources }: { hasKey: boolean; sources: readonly Generations[] }): string {
  if (!hasKey) return '_f';
  return `(CASE WHEN _g IS NOT NULL THEN _l ELSE GREATEST(_f, _c, _l, ${latestCompleteSql(sources)}) END)`;
}

/** Trusted SQL of the latest generation that saw all rows of a row's source. */
export const latestCompleteSql = (sources: readonly Generations[]): string =>
  bySourceSql(sources, ({ complete }) => complete);

/** The run of almost every row is that of the latest complete generation; only others are looked up. */
function runSql({ datasetId, sources }: SystemColumnFacts, seen: string): string {
  const known = sources.filter(({ complete }) => complete !== null);
  const cases = known
    .map(({ complete, completeRun }) => `WHEN ${complete} THEN ${completeRun ?? 'NULL::bigint'}`)
    .join(' ');
  const lookUp = `(SELECT g.run_id FROM datasets.generation g WHERE g.dataset_id = '${checkUuid(datasetId)}' AND g.number = ${seen})`;
  return cases === '' ? lookUp : `(CASE ${seen} ${cases} ELSE ${lookUp} END)`;
}

function stateSql({ sources }: SystemColumnFacts): string {
  const latest = bySourceSql(sources, (source) => source.latest);
  // What an upload has seen since, as it was, is neither.
  const [isNew, isChanged] = [`_f = ${latest} AND _l IS NULL`, `_c = ${latest} AND (_l IS NULL OR _l < _c)`];
  return `(CASE WHEN _g IS NOT NULL THEN 'gone' WHEN ${isNew} THEN 'new' WHEN ${isChanged} THEN 'changed' ELSE 'unchanged' END)`;
}

type Generations = Pick<SourceState, 'number' | 'latest' | 'complete'>;

function bySourceSql(sources: readonly Generations[], of: (source: Generations) => bigint | null): string {
  const known = sources.filter((source) => of(source) !== null);
  if (known.length === 0) return 'NULL::bigint';
  return `(CASE _s ${known.map((source) => `WHEN ${source.number} THEN ${of(source)}`).join(' ')} END)`;
}
