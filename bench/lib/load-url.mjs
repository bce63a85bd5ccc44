import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const CONNECTIONS = 50;

/**
 * Loads a URL from a process of its own.
 * @param {string} url
 * @param {{ tokens?: string[], seconds: number, connections?: number }} options tokens: those that requests bear by turns
 * @returns {Promise<import('./load.mjs').Load>}
 */
export async function loadUrl(url, { tokens = [], seconds, connections = CONNECTIONS }) {
  const file = fileURLToPath(new URL('load.mjs', import.meta.url));
  const child = fork(file, [url, String(connections), String(seconds), tokens.join()]);
  const result = await Promise.race([
    once(child, 'message').then(([load]) => load),
    once(child, 'exit').then(() => undefined),
  ]);
  if (!result) throw new Error(`${url} could not be loaded`);
  return result;
}
