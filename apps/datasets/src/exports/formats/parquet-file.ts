import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { ExportedColumn } from '../writing/export-task.js';
import { parquetElement } from './parquet-element.js';
import type { TupleValue } from './tuple-reader.js';

/** A row group is written when it has so many rows, or so many bytes: what of a file is in memory at once. */
const GROUP_ROWS = 50_000;
const GROUP_BYTES = 32 * 2 ** 20;

/**
 * A Parquet file that is written group by group. While it is, columns go by their numbers: the library finds a column by
 * its name, of which two may be the same, and writes values of the annotation JSON as JSON of JSON. Both get what they
 * should have before the end of the file, which alone says it.
 */
export class ParquetFile {
  private readonly writer = new ByteWriter();
  private readonly schema;
  private readonly parquet: ParquetWriter;
  private columns: TupleValue[][] = [];
  private rows = 0;
  private bytes = 0;

  constructor(private readonly names: readonly ExportedColumn[]) {
    const elements = names.map(({ type }, at) => parquetElement(String(at), type));
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

  /** What was written since it was asked last. */
  take(): Buffer {
    if (this.writer.index === 0) return Buffer.alloc(0);
    const taken = Buffer.from(this.writer.buffer, 0, this.writer.index);
    // The library goes on with memory of its own, so that what was taken stays as it is.
    this.writer.buffer = new ArrayBuffer(2 ** 16);
    this.writer.view = new DataView(this.writer.buffer);
    this.writer.index = 0;
    return taken;
  }

  end(): Buffer {
    if (this.rows > 0) this.writeGroup();
    for (const [at, { name, type }] of this.names.entries()) {
      const element = this.schema[at + 1]!;
      Object.assign(element, { name, ...(type === 'json' && { converted_type: 'JSON' }) });
    }
    for (const { columns } of this.parquet.row_groups) {
      for (const [at, { meta_data }] of columns.entries()) meta_data!.path_in_schema = [this.names[at]!.name];
    }
    void this.parquet.finish();
    return this.take();
  }

  private writeGroup(): void {
    const columnData = this.columns.map((data, at) => ({
      name: String(at),
      data,
      offsetIndex: false,
      // Bounds of JSON are whole documents, and nobody looks for one between two.
      statistics: this.names[at]!.type !== 'json',
    }));
    void this.parquet.write({ columnData, rowGroupSize: this.rows });
    this.clear();
  }

  private clear(): void {
    this.columns = this.names.map(() => []);
    this.rows = 0;
    this.bytes = 0;
  }
}
