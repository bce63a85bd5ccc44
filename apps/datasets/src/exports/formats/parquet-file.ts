import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { ColumnType } from '@millrace/query/fields/column';
import type { ExportedColumn } from '../writing/export-task.js';
import type { TupleValue } from './tuple-reader.js';

/** A row group is written when it has this many rows or bytes. Only one row group is in memory at once. */
const GROUP_ROWS = 50_000;
const GROUP_BYTES = 32 * 2 ** 20;

/**
 * A Parquet file that is written in row groups. During writing the columns are named by their numbers and JSON is not
 * annotated, because the library looks up columns by name, which may not be unique, and encodes values with the annotation
 * JSON twice. The end of the file, which alone contains names and annotations, gets the real ones.
 */
export class ParquetFile {
  private readonly writer = new ByteWriter();
  private readonly schema;
  private readonly parquet: ParquetWriter;
  private columns: TupleValue[][] = [];
  private rows = 0;
  private bytes = 0;

  constructor(private readonly exported: readonly ExportedColumn[]) {
    const elements = exported.map(({ type }, at) => parquetElement(String(at), type));
    this.schema = [{ name: 'root', num_children: elements.length }, ...elements];
    this.parquet = new ParquetWriter({ writer: this.writer, schema: this.schema, createdBy: 'millrace' });
    this.clear();
  }

  add(values: TupleValue[], bytes: number): void {
    for (let at = 0; at < values.length; at += 1) this.columns[at]!.push(values[at]!);
    this.rows += 1;
    this.bytes += bytes;
    if (this.rows >= GROUP_ROWS || this.bytes >= GROUP_BYTES) this.writeGroup();
  }

  /** Takes the bytes that were written since the last call. */
  take(): Buffer {
    if (this.writer.index === 0) return Buffer.alloc(0);
    const bytes = Buffer.from(this.writer.buffer, 0, this.writer.index);
    // The library continues in a new buffer, so that the returned bytes do not change.
    this.writer.buffer = new ArrayBuffer(2 ** 16);
    this.writer.view = new DataView(this.writer.buffer);
    this.writer.index = 0;
    return bytes;
  }

  end(): Buffer {
    if (this.rows > 0) this.writeGroup();
    for (const [at, { name, type }] of this.exported.entries()) {
      const element = this.schema[at + 1]!;
      Object.assign(element, { name, ...(type === 'json' && { converted_type: 'JSON' }) });
    }
    for (const { columns } of this.parquet.row_groups) {
      for (const [at, { meta_data }] of columns.entries()) meta_data!.path_in_schema = [this.exported[at]!.name];
    }
    void this.parquet.finish();
    return this.take();
  }

  private writeGroup(): void {
    const columnData = this.columns.map((data, at) => ({
      name: String(at),
      data,
      offsetIndex: false,
      // The bounds of JSON are whole documents, and a search between two documents has no use.
      statistics: this.exported[at]!.type !== 'json',
    }));
    void this.parquet.write({ columnData, rowGroupSize: this.rows });
    this.clear();
  }

  private clear(): void {
    this.columns = this.exported.map(() => []);
    this.rows = 0;
    this.bytes = 0;
  }
}

const TEXT: Omit<SchemaElement, 'name'> = {
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  logical_type: { type: 'STRING' },
};

/** Types in a Parquet file, with the old and the new annotations (parquet-format, LogicalTypes.md). */
const ELEMENTS: Record<ColumnType, Omit<SchemaElement, 'name'>> = {
  text: TEXT,
  inet: TEXT,
  uuid: TEXT,
  bigint: { type: 'INT64' },
  double: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  timestamp: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  },
  json: { type: 'BYTE_ARRAY', logical_type: { type: 'JSON' } },
};

/** The schema of a column. Every column may have missing values. */
const parquetElement = (name: string, type: ColumnType): SchemaElement => ({
  ...ELEMENTS[type],
  name,
  repetition_type: 'OPTIONAL',
});
