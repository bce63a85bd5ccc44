import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeJson } from '../write-json.mjs';

/**
 * Creates the file of master keys at the first start. `npm run secrets:rotate` adds newer keys. An existing file stays
 * unmodified, even if it is damaged: the workflows service reports its problems.
 * @param {string} file
 */
export function ensureMasterKeys(file) {
  if (existsSync(file)) return;
  writeJson(file, { keys: [{ id: 'first', key: randomBytes(32).toString('base64url') }] });
}
