import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const CONNECTIONS = 50;

/**
 * Loads URLs from a process of its own.
 * @param {string | string[]} url of one host; each connection asks one, by turns
 * @param {{ tokens?: string[], seconds: number, connections?: number, pauseMs?: number, until?: Promise<unknown> }} options
 *   tokens: those that requests bear by turns; until: what ends it before its time
 * @returns {Promise<import('./load.mjs').Load>}
 */
export async function loadUrl(url, { tokens = [], seconds, connections = CONNECTIONS, pauseMs = 0, until }) {
  const file = fileURLToPath(new URL('load.mjs', import.meta.url));
  const child = fork(file, [JSON.stringify({ urls: [url].flat(), connections, seconds, tokens, pauseMs })]);
  const stop = () => child.connected && child.send('stop');
  void until?.then(stop, stop);
  const result = await Promise.race([
    once(child, 'message').then(([load]) => load),
    once(child, 'exit').then(() => undefined),
  ]);
  if (!result) throw new Error(`${url} could not be loaded`);
  return result;
}
