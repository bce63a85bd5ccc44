import { inflateRawSync } from 'node:zlib';

const DIRECTORY_ENTRY = 0x0201_4b50;
const LOCAL_HEADER_BYTES = 30;
const DIRECTORY_ENTRY_BYTES = 46;
const END_OF_DIRECTORY = Buffer.from('PK\x05\x06', 'latin1');

/** Extracts one deflated file of a ZIP archive, because Debian has no `unzip` unless someone installs it. */
export function extractZipEntry(archive: Buffer, name: string): Buffer {
  let offset = archive.readUInt32LE(archive.lastIndexOf(END_OF_DIRECTORY) + 16);
  while (archive.readUInt32LE(offset) === DIRECTORY_ENTRY) {
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) => archive.readUInt16LE(offset + field)) as [
      number,
      number,
      number,
    ];
    const found = archive.toString('utf8', offset + DIRECTORY_ENTRY_BYTES, offset + DIRECTORY_ENTRY_BYTES + nameBytes);
    if (found === name) {
      const local = archive.readUInt32LE(offset + 42);
      const start = local + LOCAL_HEADER_BYTES + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
      return inflateRawSync(archive.subarray(start, start + archive.readUInt32LE(offset + 20)));
    }
    offset += DIRECTORY_ENTRY_BYTES + nameBytes + extraBytes + commentBytes;
  }
  throw new Error(`The archive has no file ${name}.`);
}
