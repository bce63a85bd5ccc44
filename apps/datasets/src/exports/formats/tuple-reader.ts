import type { ColumnType } from '@millrace/query/fields/column';

export type TupleValue = string | number | bigint | boolean | Buffer | null;
/** @param bytes approximate size of the row */
export type OnTuple = (values: TupleValue[], bytes: number) => void;

/** Signature, flags, and length of an extension that is always empty (Postgres docs, COPY, "Binary Format"). */
const HEADER_BYTES = 19;
/** Microseconds from 1970 to 2000, the epoch of Postgres. */
const POSTGRES_EPOCH_US = 946_684_800_000_000n;

/** Reads the rows of `COPY … (FORMAT binary)` from pieces of any length. JSON stays bytes, because it is only passed on. */
export class TupleReader {
  private pieces: Buffer[] = [];
  private length = 0;
  /** A long row is parsed again only when twice as many bytes have arrived. Otherwise it would be copied for each piece. */
  private requiredLength = HEADER_BYTES;
  private hasStarted = false;
  private hasEnded = false;

  constructor(
    private readonly types: readonly ColumnType[],
    private readonly onTuple: OnTuple,
  ) {}

  push(piece: Buffer): void {
    this.pieces.push(piece);
    this.length += piece.length;
    if (this.length >= this.requiredLength) this.read();
  }

  /** @throws Error if the last row is incomplete */
  end(): void {
    this.read();
    if (!this.hasEnded) throw new Error('The last row is incomplete');
  }

  private read(): void {
    const data = this.pieces.length === 1 ? this.pieces[0]! : Buffer.concat(this.pieces);
    let at = this.hasStarted || data.length < HEADER_BYTES ? 0 : HEADER_BYTES;
    this.hasStarted ||= at > 0;
    for (let next = at; this.hasStarted && !this.hasEnded; at = next) {
      next = this.readTuple(data, at);
      if (next === at) break;
    }
    const rest = data.subarray(at);
    this.pieces = rest.length === 0 ? [] : [rest];
    this.length = rest.length;
    this.requiredLength = rest.length * 2;
  }

  /** @returns the position of the next row; `start` if this one is incomplete */
  private readTuple(data: Buffer, start: number): number {
    if (start + 2 > data.length) return start;
    const count = data.readInt16BE(start);
    if (count === -1) {
      this.hasEnded = true;
      return start + 2;
    }
    const values = new Array<TupleValue>(count);
    let at = start + 2;
    for (let field = 0; field < count; field += 1) {
      if (at + 4 > data.length) return start;
      const length = data.readInt32BE(at);
      at += 4;
      const end = at + Math.max(0, length);
      if (end > data.length) return start;
      values[field] = length === -1 ? null : readValue(data, at, end, this.types[field]!);
      at = end;
    }
    this.onTuple(values, at - start);
    return at;
  }
}

function readValue(data: Buffer, start: number, end: number, type: ColumnType): TupleValue {
  switch (type) {
    case 'bigint':
      return data.readBigInt64BE(start);
    case 'double':
      return data.readDoubleBE(start);
    case 'boolean':
      return data[start] === 1;
    case 'timestamp':
      return data.readBigInt64BE(start) + POSTGRES_EPOCH_US;
    case 'json':
      return data.subarray(start, end);
    default:
      return data.toString('utf8', start, end);
  }
}
