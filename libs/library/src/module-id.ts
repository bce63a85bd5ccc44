import { createHash } from 'node:crypto';

/** A random namespace. It must never change, because workflows store the ids that are derived from it. */
const NAMESPACE = Buffer.from('5f0c1d6e2b7a4c3f9a518e7d20b4c6f1', 'hex');

/** The id of a built-in module, derived from its name alone (UUIDv5, RFC 9562, section 5.5). */
export function moduleId(name: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(name, 'utf8').digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
