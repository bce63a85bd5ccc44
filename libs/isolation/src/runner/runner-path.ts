import { fileURLToPath } from 'node:url';

/** The Perl program beside this package's sources; the same relative place from `src` and from `dist`. */
export const RUNNER_PATH = fileURLToPath(new URL('../../runner.pl', import.meta.url));
