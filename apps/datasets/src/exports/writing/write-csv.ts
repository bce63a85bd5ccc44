import { guardFormula } from './guard-formula.js';

const TO_QUOTE = /[",\r\n]/;

/** The rows of `COPY … (FORMAT csv)` with the names of their columns before them (RFC 4180, lines end in LF). */
export async function* writeCsv(names: readonly string[], rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield Buffer.from(`${names.map(quote).join(',')}\n`);
  yield* rows;
}

function quote(name: string): string {
  const guarded = guardFormula(name);
  // A single name of spaces alone would look like an empty line to some readers.
  return TO_QUOTE.test(guarded) || guarded.trim() !== guarded ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
