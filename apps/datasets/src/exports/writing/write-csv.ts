import { quoteCsv } from '@millrace/service/quote-csv';

/** The rows of `COPY … (FORMAT csv)` with the names of their columns before them (RFC 4180, lines end in LF). */
export async function* writeCsv(names: readonly string[], rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield Buffer.from(`${names.map(quoteCsv).join(',')}\n`);
  yield* rows;
}
