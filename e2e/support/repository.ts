import { fileURLToPath } from 'node:url';

/** Path of the repository, with a slash at its end. */
export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
