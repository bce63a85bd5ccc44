/** A part of a file as text, or as base64 if it is not UTF-8. */
export interface DecodedPart {
  text: string;
  encoding: 'utf-8' | 'base64';
  /** Bytes at the end that were left out, because they begin a character that the part cuts. */
  remaining: number;
}

/** Decodes bytes that may end within a character. @param isEnd whether the file ends with them */
export function decodePart(bytes: Uint8Array, isEnd: boolean): DecodedPart {
  const remaining = isEnd ? 0 : countCutBytes(bytes);
  const whole = bytes.subarray(0, bytes.length - remaining);
  try {
    return {
      text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(whole),
      encoding: 'utf-8',
      remaining,
    };
  } catch {
    return { text: Buffer.from(bytes).toString('base64'), encoding: 'base64', remaining: 0 };
  }
}

/** Bytes of an incomplete character at the end (RFC 3629: 110xxxxx, 1110xxxx and 11110xxx begin 2, 3 and 4 bytes). */
function countCutBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0b1100_0000) === 0b1000_0000) continue;
    const length = byte >= 0b1111_0000 ? 4 : byte >= 0b1110_0000 ? 3 : byte >= 0b1100_0000 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}
