import { Transform, type TransformCallback } from 'node:stream';

const BLOCK = 512;
/** Files, folders, symbolic links and pipes; and the long names of GNU tar. Nothing else is in the archives of collect-outputs.sh. */
const ACCEPTED_TYPES = new Set(['0', '\0', '2', '5', '6', 'L', 'K']);
const HAS_CONTENT = new Set(['0', '\0', 'L', 'K']);
const MAX_NAME_BYTES = 64 * 1024;

/** The archive has more than the limits of the step allow. */
export class TarLimitError extends Error {
  override name = 'TarLimitError';

  constructor(readonly limit: 'disk' | 'files') {
    super(`the archive exceeds the limit "${limit}"`);
  }
}

/** The archive contains something that no outputs of a step contain. */
export class TarRefusedError extends Error {
  override name = 'TarRefusedError';
}

export interface TarLimits {
  /** Size of all contents. */
  bytes: number;
  /** Number of files, folders and links. */
  entries: number;
}

/**
 * Passes on a tar archive from a pod, which is untrusted, as long as it is one that `tar --extract` cannot read in another way:
 * every header has its checksum, and is a file, a folder, a symbolic link or a pipe (POSIX.1-1988 ustar, GNU tar's manual,
 * "Basic Tar Format"). So there are no devices, no hard links, no sparse files, and no extended headers that would change sizes.
 */
export class TarGuard extends Transform {
  private header: Buffer = Buffer.alloc(0);
  /** Bytes until the next header. */
  private content = 0;
  private hasEnded = false;
  private bytes = 0;
  private entries = 0;

  constructor(private readonly limits: TarLimits) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    try {
      this.check(chunk);
      done(null, chunk);
    } catch (error) {
      done(error as Error);
    }
  }

  override _flush(done: TransformCallback): void {
    const isWhole = this.content === 0 && this.header.length === 0 && this.hasEnded;
    done(isWhole ? null : new TarRefusedError('the archive ends early'));
  }

  private check(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      if (this.content > 0) {
        const skipped = Math.min(this.content, chunk.length - at);
        this.content -= skipped;
        at += skipped;
        continue;
      }
      const part = chunk.subarray(at, at + BLOCK - this.header.length);
      at += part.length;
      this.header = this.header.length === 0 ? part : Buffer.concat([this.header, part]);
      if (this.header.length < BLOCK) continue;
      this.readHeader(this.header);
      this.header = Buffer.alloc(0);
    }
  }

  private readHeader(header: Buffer): void {
    if (header.every((byte) => byte === 0)) {
      this.hasEnded = true;
      return;
    }
    if (this.hasEnded) throw new TarRefusedError('the archive goes on after its end');
    if (readNumber(header, 148, 8) !== sumOf(header)) throw new TarRefusedError('a checksum of the archive is wrong');
    const type = header.toString('latin1', 156, 157);
    if (!ACCEPTED_TYPES.has(type))
      throw new TarRefusedError(`an entry of the archive has the type ${JSON.stringify(type)}`);
    const size = readNumber(header, 124, 12);
    if (size > 0 && !HAS_CONTENT.has(type)) throw new TarRefusedError('an entry without content has a size');
    if (type === 'L' || type === 'K') {
      if (size > MAX_NAME_BYTES) throw new TarRefusedError('a name in the archive is too long');
    } else this.count(size);
    this.content = Math.ceil(size / BLOCK) * BLOCK;
  }

  private count(size: number): void {
    this.entries += 1;
    this.bytes += size;
    if (this.bytes > this.limits.bytes) throw new TarLimitError('disk');
    if (this.entries > this.limits.entries) throw new TarLimitError('files');
  }
}

/** A number of a header: octal digits, or binary if the first bit is set (GNU tar, for more than 8 GiB). */
function readNumber(header: Buffer, start: number, length: number): number {
  const field = header.subarray(start, start + length);
  if (field[0] === 0x80) {
    const value = Number(BigInt(`0x${field.toString('hex', 1)}`));
    if (Number.isSafeInteger(value)) return value;
    throw new TarRefusedError('a number in the archive is too large');
  }
  const text = field.toString('latin1');
  const digits = /^ *([0-7]+)[ \0]*$/.exec(text)?.[1];
  if (digits === undefined) throw new TarRefusedError('a number in the archive is not one');
  return Number.parseInt(digits, 8);
}

/** The sum of all bytes, with blanks in the place of the checksum itself. */
function sumOf(header: Buffer): number {
  let sum = 8 * 0x20;
  for (let index = 0; index < BLOCK; index += 1) if (index < 148 || index >= 156) sum += header[index] ?? 0;
  return sum;
}
