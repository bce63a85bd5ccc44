import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const CONNECTIONS = 50;

/**
 * Puts load on URLs from a separate process.
 * @param {string | string[]} url one or several URLs of one host; each connection requests one of them
 * @param {{ tokens?: string[], seconds: number, connections?: number, pauseMs?: number, until?: Promise<unknown> }} options
 *   tokens: API tokens, used in rotation; until: ends the load before `seconds` have passed
 * @returns {Promise<import('./load-process.mjs').Load>}
 */
export async function loadUrl(url, { tokens = [], seconds, connections = CONNECTIONS, pauseMs = 0, until }) {
  const file = fileURLToPath(new URL('load-process.mjs', import.meta.url));
  const child = fork(file, [JSON.stringify({ urls: [url].flat(), connections, seconds, tokens, pauseMs })]);
  const stop = () => child.connected && child.send('stop');
  void until?.then(stop, stop);
  const result = await Promise.race([
    once(child, 'message').then(([load]) => load),
    once(child, 'exit').then(() => undefined),
  ]);
  if (!result) throw new Error(`The load process for ${url} ended without a result`);
  return result;
}
