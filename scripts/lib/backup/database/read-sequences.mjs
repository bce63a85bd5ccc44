import { qualify, quote, SCHEMAS } from './read-catalog.mjs';

/** Sequences per statement. */
const BATCH_SIZE = 200;

/**
 * The position of a sequence.
 * @typedef {{ schema: string, name: string, value: string, called: boolean }} SequenceState
 */

/**
 * Reads the positions of all sequences that exist in the snapshot. A position is newer than the snapshot, which only skips
 * numbers. The tables that own the sequences must be locked, so that no sequence disappears meanwhile.
 * @param {import('pg').Client} client
 * @returns {Promise<SequenceState[]>}
 */
export async function readSequences(client) {
  const { rows: sequences } = await client.query(
    `SELECT n.nspname AS schema, c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = ANY($1) AND c.relkind = 'S' ORDER BY 1, 2`,
    [SCHEMAS],
  );
  const states = [];
  for (let from = 0; from < sequences.length; from += BATCH_SIZE) {
    const selects = sequences.slice(from, from + BATCH_SIZE).map((sequence) => {
      const names = `${literal(sequence.schema)} AS schema, ${literal(sequence.name)} AS name`;
      return `SELECT ${names}, last_value::text AS value, is_called AS called FROM ${qualify(sequence)}`;
    });
    states.push(...(await client.query(selects.join(' UNION ALL '))).rows);
  }
  return states;
}

/**
 * @param {import('pg').Client} client
 * @param {readonly SequenceState[]} states
 */
export async function setSequences(client, states) {
  for (const { schema, name, value, called } of states)
    await client.query('SELECT setval($1::regclass, $2, $3)', [`${quote(schema)}.${quote(name)}`, value, called]);
}

/** @param {string} text */
const literal = (text) => `'${text.replaceAll("'", "''")}'`;
