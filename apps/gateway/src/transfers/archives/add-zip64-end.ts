/** A larger number of files needs a record of its own at the end of an archive (APPNOTE 6.3, 4.3.14 and 4.4.21). */
const MAX_ZIP32_FILES = 0xffff - 1;
const ZIP64_END_SIGNATURE = 0x06064b50;
const ZIP64_LOCATOR_SIGNATURE = 0x07064b50;
const END_RECORD_BYTES = 56;
const LOCATOR_BYTES = 20;

/**
 * Adds the Zip64 end record to an archive of more than 65,534 files. client-zip 2.5.1 writes it for large archives only; readers
 * then reject one with many small files. Its fix is not released yet (Touffy/client-zip#95).
 * @param zip chunks of the archive, the last of which is the end record without a comment
 */
export async function* addZip64End(
  zip: AsyncIterable<Uint8Array>,
  countFiles: () => number,
): AsyncGenerator<Uint8Array, void> {
  let beforeLast: Uint8Array | undefined;
  let last: Uint8Array | undefined;
  for await (const chunk of zip) {
    if (last) yield last;
    [beforeLast, last] = [last, chunk];
  }
  if (!last) return;
  const hasZip64End = beforeLast !== undefined && isZip64End(beforeLast);
  if (countFiles() > MAX_ZIP32_FILES && !hasZip64End) yield writeZip64End(last, countFiles());
  yield last;
}

const isZip64End = (chunk: Uint8Array): boolean =>
  chunk.length >= 4 && Buffer.from(chunk.buffer, chunk.byteOffset).readUInt32LE() === ZIP64_END_SIGNATURE;

/** Size and place of the directory are those of the end record: it has room for both below 4 GiB. */
function writeZip64End(end: Uint8Array, files: number): Uint8Array {
  const view = Buffer.from(end.buffer, end.byteOffset, end.length);
  const size = view.readUInt32LE(12);
  const offset = view.readUInt32LE(16);
  const record = Buffer.alloc(END_RECORD_BYTES + LOCATOR_BYTES);
  record.writeUInt32LE(ZIP64_END_SIGNATURE, 0);
  record.writeBigUInt64LE(BigInt(END_RECORD_BYTES - 12), 4);
  // Made by, and needed to extract: version 4.5 of the specification.
  record.writeUInt16LE(45, 12);
  record.writeUInt16LE(45, 14);
  record.writeBigUInt64LE(BigInt(files), 24);
  record.writeBigUInt64LE(BigInt(files), 32);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  record.writeUInt32LE(ZIP64_LOCATOR_SIGNATURE, END_RECORD_BYTES);
  record.writeBigUInt64LE(BigInt(size) + BigInt(offset), END_RECORD_BYTES + 8);
  record.writeUInt32LE(1, END_RECORD_BYTES + 16);
  return record;
}
