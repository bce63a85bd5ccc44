/** Encodes the parts of a cursor. */
export const encodeParts = (parts: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

/** @returns the parts of a cursor; null for a text that no page has had */
export function decodeParts(cursor: string): unknown[] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts : null;
  } catch {
    return null;
  }
}
