import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ExportFormat } from '@millrace/contracts/datasets/exports';
import { FORMATS, planCopy } from '../formats/formats.js';
import { copyRows } from '../writing/copy-rows.js';
import type { RowSelection } from '../writing/select-rows.js';

/** The file of an export, as its thread makes it. */
export async function writeRows(
  url: string,
  dataset: string,
  selection: RowSelection,
  format: ExportFormat,
): Promise<{ content: Buffer; rows: number }> {
  const source = {
    ...{ database: { url }, dataset, signal: new AbortController().signal, onBegin: () => undefined },
    plan: (shape: Parameters<typeof planCopy>[0]) => planCopy(shape, selection, format, new Date()),
  };
  const { result, rows } = await copyRows(source, (stream, columns) =>
    buffer(Readable.from(FORMATS[format].write(columns, stream))),
  );
  return { content: result, rows };
}
