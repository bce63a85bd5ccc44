import { sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { SecretCipher } from '@millrace/messaging/crypto/secret-cipher';
import { databaseUrl } from './own-system.js';
import type { Account } from './sign-up.js';

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** The access token of an account as if it had expired an hour ago, signed with the system's own key. */
export async function expiredAccess({ access }: Pick<Account, 'access'>): Promise<string> {
  const folder = process.env.TEST_DATA_DIR;
  if (!folder) throw new Error('TEST_DATA_DIR is not set: run the tests with `npm test`');
  const [header = '', payload = ''] = access.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { iat: number; exp: number };
  const past = encode({ ...claims, iat: claims.iat - 4_500, exp: claims.exp - 4_500 });
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
  const key = await signingKey(kid, folder);
  const signature = sign('sha256', Buffer.from(`${header}.${past}`), { key, dsaEncoding: 'ieee-p1363' });
  return `${header}.${past}.${signature.toString('base64url')}`;
}

async function signingKey(kid: string, folder: string): Promise<string> {
  const { millrace } = JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')) as { millrace: string };
  const database = new Client({ connectionString: databaseUrl(folder) });
  await database.connect();
  try {
    const sql = 'SELECT private_key FROM auth.signing_key WHERE id = $1';
    const { rows } = await database.query<{ private_key: Buffer }>(sql, [kid]);
    const [row] = rows;
    if (!row) throw new Error(`There is no signing key ${kid}`);
    return new SecretCipher(millrace, 'session signing keys').decrypt(row.private_key);
  } finally {
    await database.end();
  }
}
