import pg from 'pg';

type Callback = (error: Error | null, result: pg.QueryResult) => void;
type NamedQuery = pg.QueryConfig & { name: string };

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
  handleReadyForQuery(connection: pg.Connection): void;
}
const Query = pg.Query as unknown as new (query: pg.QueryConfig) => QueryInternals;

/** What a connection knows about its prepared statements. */
interface Described {
  /** The connection, but without requests to describe a statement, or to close one whose values cannot be sent. */
  connection: pg.Connection;
  statements: Map<string, Columns & { types: unknown }>;
}

/**
 * A prepared statement. Its columns never change, because Postgres would rather reject it ("cached plan must not change result
 * type"). So they are requested once, whereas pg requests them for each execution, which takes longer than to read a row.
 */
class PreparedQuery extends Query {
  constructor(
    private readonly query: NamedQuery,
    private readonly described: Described,
  ) {
    super(query);
  }

  override prepare(connection: pg.Connection): void {
    const statement = this.described.statements.get(this.query.name);
    if (!statement) return super.prepare(connection);
    const { types, ...columns } = statement;
    if (types === this.query.types) Object.assign(this._result, columns);
    else if (columns.fields.length > 0) this.handleRowDescription(columns);
    this._accumulateRows = true;
    super.prepare(this.described.connection);
  }

  /** Postgres has executed it. */
  override handleReadyForQuery(connection: pg.Connection): void {
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    const statement = { fields, _parsers, _prebuiltEmptyResultObject, types: this.query.types };
    this.described.statements.set(this.query.name, statement);
    super.handleReadyForQuery(connection);
  }
}

/** A connection that has named statements described only once. */
export class PreparedClient extends pg.Client {
  private readonly described: Described = {
    connection: Object.create(this.connection, {
      describe: { value: () => undefined },
      close: { value: () => undefined },
    }) as pg.Connection,
    statements: new Map(),
  };

  /** As in pg: returns nothing if there is a callback. */
  override query(query: unknown, values?: unknown, callback?: unknown): never {
    if (!isNamed(query)) return super.query(query as string, values as unknown[], callback as never) as never;
    const prepared = new PreparedQuery(query, this.described);
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
