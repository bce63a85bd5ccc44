/**
 * A UUIDv4 (RFC 9562, section 5.4). `crypto.randomUUID` does the same but exists in secure contexts only: a browser
 * lacks it on plain HTTP at any address other than localhost. `crypto.getRandomValues` exists everywhere.
 */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  // The version (4) and the variant (10 in binary) replace six of the random bits.
  const fixed = bytes.map((byte, at) => (at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte));
  const hex = Array.from(fixed, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
