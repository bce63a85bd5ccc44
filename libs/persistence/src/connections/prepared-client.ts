import pg from 'pg';

type Callback = (error: Error | null, result: pg.QueryResult) => void;
type NamedQuery = pg.QueryConfig & { name: string; query_timeout?: number };

/** The columns of a result, and what pg derives from them (pg/lib/result.js). */
interface Columns {
  fields: pg.FieldDef[];
  _parsers: unknown;
  _prebuiltEmptyResultObject: unknown;
}

/** Parts of pg/lib/query.js that its types do not have. */
interface QueryInternals {
  callback?: Callback;
  _result: Columns;
  _accumulateRows: boolean;
  prepare(connection: pg.Connection): void;
  handleRowDescription(message: Pick<Columns, 'fields'>): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
}
const Query = pg.Query as unknown as new (query: pg.QueryConfig) => QueryInternals;

/** The prepared statements of a connection. */
interface Statements {
  /** By name, those that Postgres has executed. */
  columns: Map<string, Columns & { types: unknown }>;
  /** The connection, but it closes no statement: pg closes one whose values cannot be sent, and uses it again. */
  open: pg.Connection;
  /** The same, but it has no statement described. */
  undescribed: pg.Connection;
}

/**
 * A prepared statement. Its columns never change: Postgres rejects it then ("cached plan must not change result type"). So
 * they are requested once, whereas pg requests them for each execution, which takes longer than to read a row.
 */
class PreparedQuery extends Query {
  /** pg reads it here. */
  readonly query_timeout: number | undefined;

  constructor(
    private readonly query: NamedQuery,
    private readonly statements: Statements,
  ) {
    super(query);
    this.query_timeout = query.query_timeout;
  }

  override prepare(): void {
    const statement = this.statements.columns.get(this.query.name);
    if (!statement) return super.prepare(this.statements.open);
    const { types, ...columns } = statement;
    if (types === this.query.types) Object.assign(this._result, columns);
    else if (columns.fields.length > 0) this.handleRowDescription(columns);
    this._accumulateRows = true;
    super.prepare(this.statements.undescribed);
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    const columns = { fields, _parsers, _prebuiltEmptyResultObject, types: this.query.types };
    this.statements.columns.set(this.query.name, columns);
    super.handleCommandComplete(message, connection);
  }
}

/** A connection that has named statements described only once. */
export class PreparedClient extends pg.Client {
  private readonly statements: Statements = {
    columns: new Map(),
    open: without(this.connection, 'close'),
    undescribed: without(this.connection, 'close', 'describe'),
  };

  /** As in pg: returns nothing if there is a callback. */
  override query(query: unknown, values?: unknown, callback?: unknown): never {
    if (!isNamed(query)) return super.query(query as string, values as unknown[], callback as never) as never;
    const prepared = new PreparedQuery(Array.isArray(values) ? { ...query, values } : query, this.statements);
    const onResult = (typeof values === 'function' ? values : callback) as Callback | undefined;
    return (onResult ? this.send(prepared, onResult) : this.sendAndWait(prepared)) as never;
  }

  private async sendAndWait(query: PreparedQuery): Promise<pg.QueryResult> {
    try {
      return await new Promise((resolve, reject) => {
        this.send(query, (error, result) => (error ? reject(error) : resolve(result)));
      });
    } catch (error) {
      // As pg does: the stack of its errors begins at the socket.
      Error.captureStackTrace(error as Error);
      throw error;
    }
  }

  private send(query: PreparedQuery, callback: Callback): void {
    query.callback = callback;
    super.query(query as unknown as pg.Submittable);
  }
}

const isNamed = (query: unknown): query is NamedQuery =>
  typeof query === 'object' && query !== null && 'name' in query && query.name !== undefined && !('submit' in query);

/** A connection that does nothing when these methods are called. */
function without(connection: pg.Connection, ...methods: ('close' | 'describe')[]): pg.Connection {
  const nothing = { value: () => undefined };
  return Object.create(connection, Object.fromEntries(methods.map((name) => [name, nothing]))) as pg.Connection;
}
