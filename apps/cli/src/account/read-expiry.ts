import { z } from 'zod';

const claims = z.object({ exp: z.number().int().positive() });

/**
 * When a JWT ends (`exp`, RFC 7519, 4.1.4), RFC 3339; it is not verified, for only the server has to. What cannot be read
 * counts as ended, so that it is renewed at its first use.
 */
export function readExpiry(jwt: string): string {
  try {
    const payload = Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString();
    return new Date(claims.parse(JSON.parse(payload)).exp * 1_000).toISOString();
  } catch {
    return new Date(0).toISOString();
  }
}
