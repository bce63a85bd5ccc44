import type { ColumnType } from '@millrace/query/fields/column';

export type TupleValue = string | number | bigint | boolean | Buffer | null;
/** @param bytes of the row, about */
export type OnTuple = (values: TupleValue[], bytes: number) => void;

/** Signature, flags, and length of an extension that is never there (Postgres docs, COPY, "Binary Format"). */
const HEADER_BYTES = 19;
/** Of the microseconds from 1970 to 2000, from where Postgres counts. */
const POSTGRES_EPOCH_US = 946_684_800_000_000n;

/** Reads the rows of `COPY … (FORMAT binary)` out of pieces of any length. JSON stays bytes, for it is only passed on. */
export class TupleReader {
  private pieces: Buffer[] = [];
  private waiting = 0;
  /** A row of many pieces is looked at again only when twice as much is there, or it would be copied once a piece. */
  private wanted = HEADER_BYTES;
  private begun = false;
  private ended = false;

  constructor(
    private readonly types: readonly ColumnType[],
    private readonly take: OnTuple,
  ) {}

  push(piece: Buffer): void {
    this.pieces.push(piece);
    this.waiting += piece.length;
    if (this.waiting >= this.wanted) this.read();
  }

  /** @throws Error where the last row is not whole */
  end(): void {
    this.read();
    if (!this.ended) throw new Error('The rows end in the middle of one');
  }

  private read(): void {
    const data = this.pieces.length === 1 ? this.pieces[0]! : Buffer.concat(this.pieces);
    let at = this.begun || data.length < HEADER_BYTES ? 0 : HEADER_BYTES;
    this.begun ||= at > 0;
    for (let next = at; this.begun && !this.ended; at = next) {
      next = this.readTuple(data, at);
      if (next === at) break;
    }
    const rest = data.subarray(at);
    this.pieces = rest.length === 0 ? [] : [rest];
    this.waiting = rest.length;
    this.wanted = rest.length * 2;
  }

  /** @returns where the next one begins; `start` where this one is not all there */
  private readTuple(data: Buffer, start: number): number {
    if (start + 2 > data.length) return start;
    const count = data.readInt16BE(start);
    if (count === -1) {
      this.ended = true;
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
    this.take(values, at - start);
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
