import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { checkUuid } from './names.js';

/** A column for libs/query. `sql` is trusted text, made of physical names and numbers. */
export interface QueryColumn {
  name: string;
  type: ColumnType;
  sql: string;
  system: boolean;
  /** False if every row has a value. */
  nullable?: boolean;
}

/** The generations of a source, in milliseconds since the epoch. */
export interface SourceState {
  number: number;
  latest: bigint | null;
  /** The first of the successive generations that the run of `latest` has. A run that was retried has several. */
  since: bigint | null;
  complete: bigint | null;
  /** Run of the complete generation; null if it was an upload. */
  completeRun: bigint | null;
}

export interface SystemColumnFacts {
  datasetId: string;
  hasKey: boolean;
  sources: readonly SourceState[];
  /** Names of the user's columns. */
  userNames: ReadonlySet<string>;
}

const timestampSql = (generation: string): string => `to_timestamp(${generation} / 1000.0)`;

/** Column number of `_first_seen`, the only system column that can have an index. No user column has this number. */
export const FIRST_SEEN = 0;
export const FIRST_SEEN_SQL = timestampSql('_f');

/**
 * The columns that Millrace maintains, as a query sees them. If a user's column has the name of one, the user's column
 * keeps the name and the system column gets another `_` in front.
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
    name: freeName(name, facts.userNames),
    type,
    sql,
    system: true,
    nullable: !NON_NULL_COLUMNS.has(name),
  }));
}

/** System columns that have a value in every row. */
const NON_NULL_COLUMNS = new Set(['_row', '_first_seen', '_state']);

export const nameFirstSeenColumn = (userNames: ReadonlySet<string>): string => freeName('_first_seen', userNames);

function freeName(name: string, userNames: ReadonlySet<string>): string {
  return userNames.has(name) ? freeName(`_${name}`, userNames) : name;
}

/** Trusted SQL of the latest generation that saw a row. */
export function lastSeenSql({ hasKey, sources }: { hasKey: boolean; sources: readonly Generations[] }): string {
  if (!hasKey) return '_f';
  return `(CASE WHEN _g IS NOT NULL THEN _l ELSE GREATEST(_f, _c, _l, ${latestCompleteSql(sources)}) END)`;
}

/** Trusted SQL of the latest complete generation of a row's source. */
export const latestCompleteSql = (sources: readonly Generations[]): string =>
  bySourceSql(sources, ({ complete }) => complete);

/** Almost every row has the run of its source's latest complete generation. Only the runs of other rows are looked up. */
function runSql({ datasetId, sources }: SystemColumnFacts, seen: string): string {
  const cases = sources
    .filter(({ complete }) => complete !== null)
    .map(({ complete, completeRun }) => `WHEN ${complete} THEN ${completeRun ?? 'NULL::bigint'}`)
    .join(' ');
  const lookUp = `(SELECT g.run_id FROM datasets.generation g WHERE g.dataset_id = '${checkUuid(datasetId)}' AND g.number = ${seen})`;
  return cases === '' ? lookUp : `(CASE ${seen} ${cases} ELSE ${lookUp} END)`;
}

function stateSql({ sources }: SystemColumnFacts): string {
  const latest = bySourceSql(sources, (source) => source.latest);
  const since = bySourceSql(sources, (source) => source.since);
  // A row that an upload has seen unchanged after the run is neither new nor changed.
  const isCurrent = `(_l IS NULL OR _l <= ${latest})`;
  const isNew = `_f BETWEEN ${since} AND ${latest} AND ${isCurrent}`;
  const isChanged = `_c BETWEEN ${since} AND ${latest} AND ${isCurrent}`;
  return `(CASE WHEN _g IS NOT NULL THEN 'gone' WHEN ${isNew} THEN 'new' WHEN ${isChanged} THEN 'changed' ELSE 'unchanged' END)`;
}

type Generations = Pick<SourceState, 'number' | 'latest' | 'complete'>;

function bySourceSql<S extends Generations>(sources: readonly S[], select: (source: S) => bigint | null): string {
  const withValue = sources.filter((source) => select(source) !== null);
  if (withValue.length === 0) return 'NULL::bigint';
  return `(CASE _s ${withValue.map((source) => `WHEN ${source.number} THEN ${select(source)}`).join(' ')} END)`;
}
