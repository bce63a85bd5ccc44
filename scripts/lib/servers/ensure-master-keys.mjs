import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeJson } from '../write-json.mjs';

/**
 * Makes the file of master keys at the first start; `npm run secrets:rotate` puts newer ones in. One that is there is
 * left as it is, whatever is in it: the workflows service says what is wrong with it.
 * @param {string} file
 */
export function ensureMasterKeys(file) {
  if (existsSync(file)) return;
  writeJson(file, { keys: [{ id: 'first', key: randomBytes(32).toString('base64url') }] });
}
