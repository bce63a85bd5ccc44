import { crc32 } from 'node:zlib';

/** An entry of an archive. It may be malicious. */
export interface Entry {
  name: string;
  content?: Buffer;
  /** Target, if the entry is a symbolic link. */
  symlink?: string;
  /** Target, if the entry is a hard link. */
  hardlink?: string;
  /** Size in bytes that the archive declares; the default is the real size. */
  declaredSize?: number;
}

const EMPTY = Buffer.alloc(0);

/** Makes a tar archive in the format of POSIX.1-1988 (ustar). */
export function packTar(entries: readonly Entry[]): Buffer {
  const parts = entries.flatMap((entry) => {
    const content = entry.content ?? EMPTY;
    return [tarHeader(entry, content), content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

function tarHeader(entry: Entry, content: Buffer): Buffer {
  const header = Buffer.alloc(512);
  const octal = (value: number, width: number) => value.toString(8).padStart(width - 1, '0');
  const kind = entry.symlink !== undefined ? '2' : entry.hardlink !== undefined ? '1' : '0';
  header.write(entry.name, 0);
  header.write(octal(0o644, 8), 100);
  header.write(octal(entry.declaredSize ?? content.length, 12), 124);
  header.write(kind, 156);
  header.write(entry.symlink ?? entry.hardlink ?? '', 157);
  header.write('ustar\u000000', 257);
  header.fill(' ', 148, 156);
  header.write(
    octal(
      header.reduce((sum, byte) => sum + byte, 0),
      7,
    ),
    148,
  );
  return header;
}

/** Makes a zip archive with uncompressed entries (APPNOTE.TXT 6.3, 4.3). */
export function packZip(entries: readonly Entry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const content = entry.symlink === undefined ? (entry.content ?? EMPTY) : Buffer.from(entry.symlink);
    const common = zipFields(entry, content);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004\u0014\0'), common, Buffer.from(entry.name), content]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(((entry.symlink === undefined ? 0o100644 : 0o120777) << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0003\u0014\0'), common, rest, Buffer.from(entry.name));
    locals.push(local);
    offset += local.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 0, 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

/** The fields that the local header and the directory have in common, from the flags to the length of the extra field. */
function zipFields(entry: Entry, content: Buffer): Buffer {
  const fields = Buffer.alloc(24);
  fields.writeUInt32LE(crc32(content), 8);
  fields.writeUInt32LE(content.length, 12);
  fields.writeUInt32LE(entry.declaredSize ?? content.length, 16);
  fields.writeUInt16LE(Buffer.byteLength(entry.name), 20);
  return fields;
}
