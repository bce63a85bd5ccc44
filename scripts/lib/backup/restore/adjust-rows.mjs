/**
 * Changes the rows that depend on what a backup does not contain: the transaction ids of the former Postgres, the streams of
 * NATS, and files of exports that were deleted while the backup was made.
 * @param {import('pg').Client} client in the transaction that has loaded the rows
 * @param {import('../folder/manifest.mjs').Manifest} manifest
 */
export async function adjustRows(client, { exports }) {
  const { rows } = await client.query(
    `SELECT to_regclass('contents.unused') IS NOT NULL AS collects, to_regclass('datasets.export') IS NOT NULL AS exports`,
  );
  // A fence is the id of a transaction. The collector sets it again.
  if (rows[0].collects)
    await client.query(
      `UPDATE contents.unused SET fence = NULL, lease = NULL, leased_until = NULL WHERE fence IS NOT NULL`,
    );
  // The relay publishes the events of the last days again, and the inbox discards those that were handled.
  await client.query('DELETE FROM messaging.relayed_stream');
  if (rows[0].exports && exports.missing.length > 0)
    await client.query(
      `UPDATE datasets.export SET status = 'FAILED', sha256 = NULL,
         error = 'The file of the export is not in the backup that was restored. Create the export again.'
       WHERE status = 'COMPLETED' AND sha256 = ANY($1)`,
      [exports.missing],
    );
}
