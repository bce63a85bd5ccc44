import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { timeSeconds } from '../measure.mjs';

/**
 * Writes the ten columns of a Live Table to a file that COPY can read.
 * @param {import('pg').Client} client
 * @param {string} table
 * @param {string} columns
 * @param {string} path
 */
export const dumpCopy = (client, table, columns, path) =>
  pipeline(client.query(copyTo(`COPY ${table} (${columns}) TO STDOUT`)), createWriteStream(path));

/**
 * Times COPY of a file into a table with the same columns and indexes, without Millrace.
 * @param {import('pg').Client} client
 * @param {string} table
 * @param {string} columns
 * @param {string} path
 */
export async function timeCopyIn(client, table, columns, path) {
  await client.query(`DROP TABLE IF EXISTS live.bare`);
  await client.query(`CREATE TABLE live.bare (LIKE ${table} INCLUDING ALL)`);
  await client.query(`ALTER TABLE live.bare ALTER _s SET DEFAULT 0, ALTER _f SET DEFAULT 1`);
  const seconds = await timeSeconds(() =>
    pipeline(
      createReadStream(path, { highWaterMark: 1 << 20 }),
      client.query(copyFrom(`COPY live.bare (${columns}) FROM STDIN`)),
    ),
  );
  await client.query(`DROP TABLE live.bare`);
  return seconds;
}

/**
 * Times COPY of all rows into a CSV file, without Millrace.
 * @param {import('pg').Client} client
 * @param {string} table
 * @param {string} columns
 * @param {string} path
 */
export const timeCopyOut = (client, table, columns, path) =>
  timeSeconds(() =>
    pipeline(
      client.query(copyTo(`COPY (SELECT ${columns} FROM ${table} ORDER BY _id) TO STDOUT (FORMAT csv, HEADER)`)),
      createWriteStream(path),
    ),
  );
