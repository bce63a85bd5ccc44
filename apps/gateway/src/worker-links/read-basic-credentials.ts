/** Reads user and password from a header `Authorization: Basic …` (RFC 7617). @returns null if there are none */
export function readBasicCredentials(header: string | undefined): { user: string; password: string } | null {
  const encoded = /^Basic ([A-Za-z0-9+/]{1,2048}={0,2})$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0 ? null : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
