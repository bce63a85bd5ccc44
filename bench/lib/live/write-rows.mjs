import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

/** Columns of a typical table: the results of a scan of hosts. */
export const COLUMNS = ['host', 'ip', 'port', 'title', 'tech', 'status', 'length', 'time', 'tls', 'cdn'];
const PORTS = [80, 443, 8080, 8443, 22, 3000];
const TECH = ['nginx', 'apache', 'react', 'php', 'wordpress', 'jquery', 'iis', 'tomcat'];
const STATUS = [200, 200, 200, 301, 302, 403, 404, 500];
const WORDS = ['login', 'index', 'admin', 'portal', 'welcome', 'shop', 'blog', 'status', 'docs', 'mail'];
const CDN = [null, null, null, 'cloudflare', 'fastly', 'akamai'];

/**
 * Makes a row that depends on its arguments only. Revision 1 changes one row in a hundred.
 * @param {number} index
 * @param {number} revision
 */
function makeRow(index, revision) {
  const hash = Math.imul(index + 1, 2654435761) >>> 0;
  const pick = (/** @type {any[]} */ values, /** @type {number} */ divisor) =>
    values[Math.floor(hash / divisor) % values.length];
  const changed = revision > 0 && index % 100 === 0;
  return {
    host: `h${index.toString(36)}.${pick(WORDS, 3)}.example.com`,
    ip: `10.${(index >>> 16) & 255}.${(index >>> 8) & 255}.${index & 255}`,
    port: pick(PORTS, 7),
    title: `${pick(WORDS, 11)} ${pick(WORDS, 101)} page ${hash.toString(36)}${index % 100_000 === 7 ? ' needle in hay' : ''}`,
    tech: [pick(TECH, 13), pick(TECH, 1009)],
    status: changed ? 599 : pick(STATUS, 17),
    length: hash % 100_000,
    time: new Date(1_767_225_600_000 + (hash % 31_536_000) * 1000).toISOString(),
    tls: hash % 3 > 0,
    cdn: pick(CDN, 19),
  };
}

/**
 * Writes rows as JSON lines.
 * @param {string} path
 * @param {number} rows
 * @param {number} [revision]
 */
export async function writeRows(path, rows, revision = 0) {
  const file = createWriteStream(path);
  let lines = '';
  for (let index = 0; index < rows; index += 1) {
    lines += `${JSON.stringify(makeRow(index, revision))}\n`;
    if (lines.length < 1 << 20) continue;
    if (!file.write(lines)) await once(file, 'drain');
    lines = '';
  }
  file.end(lines);
  await once(file, 'close');
}
