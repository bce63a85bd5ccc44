import { createHash } from 'node:crypto';

/** SHA-256 of a random token, hex. Fast on purpose: what has 190 random bits or more cannot be guessed from its hash. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');
