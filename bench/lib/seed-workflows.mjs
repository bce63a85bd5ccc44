import { hash, randomBytes } from 'node:crypto';

/**
 * Inserts rows into an account's vault without the API: spaces, workflows spread over them, and a member with a role in
 * some of the spaces.
 * @param {import('pg').Client} client
 * @param {string} vault
 * @param {{ spaces: number, workflows: number, memberSpaces: number }} size
 * @returns {Promise<string>} the member's token
 */
export async function seedWorkflows(client, vault, { spaces, workflows, memberSpaces }) {
  const token = randomBytes(20).toString('hex');
  await client.query(
    `INSERT INTO workflows.space (id, vault_id, name, modified_at)
     SELECT gen_random_uuid(), $1, 'Bench ' || n, now() FROM generate_series(1, $2::int) n`,
    [vault, spaces],
  );
  await client.query(
    `INSERT INTO workflows.workflow (id, vault_id, space_id, name, description, author, created_at, modified_at)
     SELECT gen_random_uuid(), $1, s.ids[1 + n % array_length(s.ids, 1)], 'Scan ' || md5(n::text),
       'Scans the hosts and ports of network number ' || n || ', and writes the open ports to a table', gen_random_uuid(),
       now() - n * interval '1 minute', now() - (n * 7919 % $2) * interval '1 minute'
     FROM generate_series(1, $2::int) n, (SELECT array_agg(id) AS ids FROM workflows.space WHERE vault_id = $1) s`,
    [vault, workflows],
  );
  const { rows } = await client.query(
    `INSERT INTO auth."user" (id, vault_id, vault_role, email, name, token_hash)
     VALUES (gen_random_uuid(), $1, 'member', $2 || '@bench.example', 'Bench', $2) RETURNING id`,
    [vault, hash('sha256', token, 'hex')],
  );
  await client.query(
    `INSERT INTO auth.space_assignment (id, vault_id, space_id, user_id, role)
     SELECT gen_random_uuid(), $1, id, $2, 'read' FROM workflows.space WHERE vault_id = $1 ORDER BY name LIMIT $3`,
    [vault, rows[0].id, memberSpaces],
  );
  // Autovacuum would do this a minute after the last change, in the middle of a measurement.
  await client.query('VACUUM (ANALYZE) workflows.workflow');
  return token;
}
