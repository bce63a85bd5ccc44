import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

/** What W6 of the workloads has: what a scan of hosts finds. */
export const COLUMNS = ['host', 'ip', 'port', 'title', 'tech', 'status', 'length', 'time', 'tls', 'cdn'];
const PORTS = [80, 443, 8080, 8443, 22, 3000];
const TECH = ['nginx', 'apache', 'react', 'php', 'wordpress', 'jquery', 'iis', 'tomcat'];
const STATUS = [200, 200, 200, 301, 302, 403, 404, 500];
const WORDS = ['login', 'index', 'admin', 'portal', 'welcome', 'shop', 'blog', 'status', 'docs', 'mail'];
const CDN = [null, null, null, 'cloudflare', 'fastly', 'akamai'];

/**
 * A row that is the same each time it is asked for; `turn` changes one in a hundred.
 * @param {number} at
 * @param {number} turn
 */
function rowAt(at, turn) {
  const mixed = Math.imul(at + 1, 2654435761) >>> 0;
  const pick = (/** @type {any[]} */ from, /** @type {number} */ by) => from[Math.floor(mixed / by) % from.length];
  const changed = turn > 0 && at % 100 === 0;
  return {
    host: `h${at.toString(36)}.${pick(WORDS, 3)}.example.com`,
    ip: `10.${(at >>> 16) & 255}.${(at >>> 8) & 255}.${at & 255}`,
    port: pick(PORTS, 7),
    title: `${pick(WORDS, 11)} ${pick(WORDS, 101)} page ${mixed.toString(36)}${at % 100_000 === 7 ? ' needle in hay' : ''}`,
    tech: [pick(TECH, 13), pick(TECH, 1009)],
    status: changed ? 599 : pick(STATUS, 17),
    length: mixed % 100_000,
    time: new Date(1_767_225_600_000 + (mixed % 31_536_000) * 1000).toISOString(),
    tls: mixed % 3 > 0,
    cdn: pick(CDN, 19),
  };
}

/**
 * Writes rows as JSON lines.
 * @param {string} path
 * @param {number} rows
 * @param {number} [turn]
 */
export async function writeRows(path, rows, turn = 0) {
  const file = createWriteStream(path);
  let lines = '';
  for (let at = 0; at < rows; at += 1) {
    lines += `${JSON.stringify(rowAt(at, turn))}\n`;
    if (lines.length < 1 << 20) continue;
    if (!file.write(lines)) await once(file, 'drain');
    lines = '';
  }
  file.end(lines);
  await once(file, 'close');
}
