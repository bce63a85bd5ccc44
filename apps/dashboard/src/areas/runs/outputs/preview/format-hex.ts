const BYTES_PER_LINE = 16;

/** Bytes as a hex dump: offset, two groups of eight bytes, and the printable characters. */
export function formatHex(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let offset = 0; offset < bytes.length; offset += BYTES_PER_LINE) {
    const part = [...bytes.subarray(offset, offset + BYTES_PER_LINE)];
    const digits = part.map((byte) => byte.toString(16).padStart(2, '0'));
    const groups = [digits.slice(0, 8).join(' '), digits.slice(8).join(' ')].join('  ').padEnd(48);
    const characters = part.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${offset.toString(16).padStart(8, '0')}  ${groups}  ${characters}`);
  }
  return lines.join('\n');
}
