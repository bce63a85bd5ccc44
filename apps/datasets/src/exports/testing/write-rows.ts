import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import type { ExportFormat } from '@millrace/contracts/datasets/exports';
import { copyRows } from '../writing/copy-rows.js';
import { FORMATS } from '../writing/formats.js';
import { type ExportedRows, selectRows } from '../writing/select-rows.js';

/** The file of an export, as its thread makes it. */
export async function writeRows(
  url: string,
  rows: ExportedRows,
  format: ExportFormat,
): Promise<{ content: Buffer; rows: number }> {
  const { list, copy, write } = FORMATS[format];
  const columns = rows.fields.map(({ name, column }) => ({ name, type: column.type }));
  const source = {
    url,
    statement: selectRows(rows, list),
    options: copy,
    signal: new AbortController().signal,
    begun: () => undefined,
  };
  const { result, rows: count } = await copyRows(source, (stream) => buffer(Readable.from(write(columns, stream))));
  return { content: result, rows: count };
}
