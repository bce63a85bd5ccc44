import { openAsBlob } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Loads a file of JSON lines into a table, and waits until the rows can be queried.
 * @param {string} api
 * @param {string} token
 * @param {string} dataset
 * @param {string} path
 * @returns {Promise<any>} the load
 */
export async function loadFile(api, token, dataset, path) {
  const authorization = `Token ${token}`;
  const response = await fetch(`${api}/datasets/${dataset}/rows`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/x-ndjson' },
    body: await openAsBlob(path),
  });
  let load = /** @type {any} */ (await response.json());
  if (!response.ok) throw new Error(`The upload of the rows failed: ${JSON.stringify(load)}`);
  while (!['COMPLETED', 'FAILED'].includes(load.status)) {
    await sleep(20);
    const poll = await fetch(`${api}/datasets/${dataset}/loads/${load.id}`, { headers: { authorization } });
    load = await poll.json();
  }
  if (load.status !== 'COMPLETED') throw new Error(`The load failed: ${load.error}`);
  return load;
}
