import { readFileSync } from 'node:fs';

/** The version of this package. After bundling, this file is in `dist`. */
export const readVersion = (): string =>
  (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version;
