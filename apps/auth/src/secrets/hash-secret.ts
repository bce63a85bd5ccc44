import { createHash } from 'node:crypto';

/** SHA-256 of a random token, hex. A slow hash is unnecessary: 190 random bits or more cannot be guessed from the hash. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');
