import { Prisma } from '@millrace/persistence/generated/client';
import { recordset } from './recordset.js';

type SqlType = 'bigint' | 'boolean' | 'float8' | 'int' | 'jsonb' | 'text' | 'timestamptz' | 'uuid';

/** A value as it is written to the database: 64-bit numbers may be text, and JSON columns accept any JSON. */
type Writable<Value> = Prisma.JsonValue extends Value
  ? unknown
  : bigint extends Value
    ? Value | number | string
    : Value;

/** Fields to write; an absent field becomes NULL. */
type WritableRow<Row, Field extends keyof Row> = { [Key in Field]?: Writable<Row[Key]> | undefined };

/**
 * The columns of a table, written down once: Prisma's row type gives the fields, this class the SQL type of each. The
 * parts of a statement that list columns are derived from it, so a new column is added in two places (schema and here), and
 * leaving out the second is a type error. The fragments are constants; make them once per module.
 */
export class RowColumns<Row extends object> {
  constructor(private readonly types: Readonly<Record<keyof Row & string, SqlType>>) {}

  fields(): (keyof Row & string)[] {
    return Object.keys(this.types) as (keyof Row & string)[];
  }

  /** All fields but these. */
  except<Field extends keyof Row & string>(...excluded: Field[]): Exclude<keyof Row & string, Field>[] {
    const isIncluded = (field: keyof Row & string): field is Exclude<keyof Row & string, Field> =>
      !(excluded as string[]).includes(field);
    return this.fields().filter(isIncluded);
  }

  /** `vault_id, name` */
  names(fields: readonly (keyof Row & string)[]): Prisma.Sql {
    return Prisma.raw(fields.map(toColumn).join(', '));
  }

  /** `vault_id AS "vaultId", name`, for a row whose keys are the fields. */
  select(fields: readonly (keyof Row & string)[]): Prisma.Sql {
    const columns = fields.map((field) => (toColumn(field) === field ? field : `${toColumn(field)} AS "${field}"`));
    return Prisma.raw(columns.join(', '));
  }

  /** `status = c.status, error = c.error`: columns that take the value of a recordset `c`. */
  assign(fields: readonly (keyof Row & string)[]): Prisma.Sql {
    return Prisma.raw(fields.map((field) => `${toColumn(field)} = c.${toColumn(field)}`).join(', '));
  }

  /** `worker = coalesce(c.worker, s.worker)`: columns of `table` that keep their value if `c` has none. */
  assignIfGiven(fields: readonly (keyof Row & string)[], table: string): Prisma.Sql {
    const columns = fields.map(toColumn);
    return Prisma.raw(columns.map((column) => `${column} = coalesce(c.${column}, ${table}.${column})`).join(', '));
  }

  /** `pending = r.pending + coalesce(c.pending, 0)`: columns of `table` that grow by the value of `c`. */
  increment(fields: readonly (keyof Row & string)[], table: string): Prisma.Sql {
    const columns = fields.map(toColumn);
    return Prisma.raw(columns.map((column) => `${column} = ${table}.${column} + coalesce(c.${column}, 0)`).join(', '));
  }

  /** `'segment', t.segment, 'runId', t.run_id::text`: arguments of `jsonb_build_object`; 64-bit numbers become text. */
  jsonFields(fields: readonly (keyof Row & string)[], table: string): Prisma.Sql {
    const parts = fields.map((field) => {
      const cast = this.types[field] === 'bigint' ? '::text' : '';
      return `'${field}', ${table}.${toColumn(field)}${cast}`;
    });
    return Prisma.raw(parts.join(', '));
  }

  /** The rows as a table `c(vault_id uuid, name text)`. */
  recordset<Field extends keyof Row & string>(
    fields: readonly Field[],
    rows: readonly WritableRow<Row, Field>[],
  ): Prisma.Sql {
    const columns = fields.map((field) => `${toColumn(field)} ${this.types[field]}`).join(', ');
    return recordset(columns, { json: toJson(fields, rows), count: rows.length });
  }
}

/** The schema names each column after its field, in snake case. */
const toColumn = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function toJson<Row, Field extends keyof Row & string>(
  fields: readonly Field[],
  rows: readonly WritableRow<Row, Field>[],
): string {
  const columns = fields.map((field) => [field, toColumn(field)] as const);
  const toRecord = (row: WritableRow<Row, Field>) =>
    Object.fromEntries(columns.map(([field, column]) => [column, toJsonValue(row[field])]));
  return JSON.stringify(rows.map(toRecord));
}

const toJsonValue = (value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
