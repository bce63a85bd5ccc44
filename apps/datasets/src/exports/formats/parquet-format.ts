import type { ExportedColumn } from '../writing/export-task.js';
import { ParquetFile } from './parquet-file.js';
import { TupleReader } from './tuple-reader.js';

/** The rows of `COPY … (FORMAT binary)` as a Parquet file. */
export async function* writeParquet(
  columns: readonly ExportedColumn[],
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const file = new ParquetFile(columns);
  const types = columns.map(({ type }) => type);
  const reader = new TupleReader(types, (values, bytes) => file.add(values, bytes));
  for await (const piece of pieces) {
    reader.push(piece);
    const written = file.take();
    if (written.length > 0) yield written;
  }
  reader.end();
  yield file.end();
}
