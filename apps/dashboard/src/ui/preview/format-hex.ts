const BYTES_PER_ROW = 16;

/** A hex dump as `hexdump -C` writes it: `00000010  48 6f 73 74 …  |Host…|`. */
export function formatHex(bytes: Uint8Array): string {
  const rows: string[] = [];
  for (let offset = 0; offset < bytes.length; offset += BYTES_PER_ROW) {
    const row = [...bytes.subarray(offset, offset + BYTES_PER_ROW)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0'));
    const halves = `${hex.slice(0, 8).join(' ')}  ${hex.slice(8).join(' ')}`.padEnd(3 * BYTES_PER_ROW);
    const text = row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    rows.push(`${offset.toString(16).padStart(8, '0')}  ${halves}  |${text}|`);
  }
  return rows.join('\n');
}
