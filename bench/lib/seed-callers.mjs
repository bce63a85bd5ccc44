import { hash, randomBytes } from 'node:crypto';
import pg from 'pg';

/**
 * Inserts owners of an account's vault, each with an API token. It bypasses the API, because a sign-up takes as long as
 * its password hash.
 * @param {string} database connection string
 * @param {string} vault
 * @param {number} count
 * @returns {Promise<string[]>} their tokens
 */
export async function seedCallers(database, vault, count) {
  const tokens = Array.from({ length: count }, () => randomBytes(20).toString('hex'));
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO auth."user" (id, vault_id, vault_role, email, name, token_hash)
       SELECT gen_random_uuid(), $1, 'owner', token_hash || '@bench.example', 'Bench', token_hash
       FROM unnest($2::text[]) AS token_hash`,
      [vault, tokens.map((token) => hash('sha256', token, 'hex'))],
    );
  } finally {
    await client.end();
  }
  return tokens;
}
