import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { measureBeside, secondsOf } from './lib/measure.mjs';

const MIB = 2 ** 20;
const FILE_MIB = 2048;
const MAX_GROWTH = 64;
/** The page cache makes single ones differ by a factor of three. */
const ROUNDS = 3;
const SERVICES = ['gateway', 'workflows', 'runs', 'worker', 'auth'];
/** Shares of the floor's speed: an upload is hashed and synced besides. */
const GOALS = { up: 0.3, down: 0.5 };

/** @param {number} mib */
function* blocks(mib) {
  const block = Buffer.alloc(MIB, 'transfer');
  for (let number = 0; number < mib; number += 1) {
    block.writeUInt32BE(number);
    yield Buffer.from(block);
  }
}

/** @param {number} pid the largest memory it had, in MiB (proc(5): VmHWM) */
const peakOf = (pid) => Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** @param {string} folder of the system @param {() => Promise<unknown>} work */
async function growthDuring(folder, work) {
  const pids = SERVICES.map((name) => Number(readFileSync(join(folder, 'run', `${name}.pid`), 'utf8')));
  for (const pid of pids) writeFileSync(`/proc/${pid}/clear_refs`, '5');
  const before = pids.map(peakOf);
  await work();
  return Math.max(...pids.map((pid, at) => peakOf(pid) - (before[at] ?? 0)));
}

/**
 * The least that can be done: plain Node's HTTP, in a process of its own, between the network and a file.
 * @param {string} folder
 */
async function startFloor(folder) {
  const source = `
    const { createServer } = require('node:http');
    const { createReadStream, createWriteStream } = require('node:fs');
    const { pipeline } = require('node:stream/promises');
    const path = process.argv[1];
    createServer(async (request, response) => {
      if (request.method === 'POST') await pipeline(request, createWriteStream(path));
      else return pipeline(createReadStream(path), response);
      response.end();
    }).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;
  const child = spawn(process.execPath, ['-e', source, join(folder, 'floor')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(child.stdout, 'data');
  return { url: `http://127.0.0.1:${String(port).trim()}/`, stop: () => child.kill() };
}

/** @param {string} url */
async function send(url) {
  const sending = request(url, { method: 'POST' });
  const answered = once(sending, 'response');
  await pipeline(Readable.from(blocks(FILE_MIB)), sending);
  const [response] = await answered;
  response.resume();
  await once(response, 'end');
}

/** @param {string} url @param {Record<string, string>} [headers] */
async function receive(url, headers = {}) {
  const receiving = request(url, { headers }).end();
  const [response] = await once(receiving, 'response');
  let bytes = 0;
  for await (const piece of response) bytes += piece.length;
  if (bytes !== FILE_MIB * MIB) throw new Error(`${bytes} bytes came back (${response.statusCode})`);
}

/**
 * A file of 2 GiB up and down: speed beside plain Node's HTTP, and by how much the largest of the services grew meanwhile.
 * @param {import('./run.mjs').Bench} bench
 * @returns {Promise<import('./run.mjs').Result[]>}
 */
export async function benchTransfer({ system, account, isolation, note }) {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-transfer-'));
  const bare = await startFloor(folder);
  try {
    let id = '';
    const up = async () => {
      const stream = () => /** @type {ReadableStream<Uint8Array>} */ (Readable.toWeb(Readable.from(blocks(FILE_MIB))));
      ({ id } = await account.client.upload('transfer/file', stream));
    };
    const down = () =>
      receive(`${system.url}/api/storage/files/${id}/download`, { authorization: `Token ${account.token}` });
    const pairs = [
      { name: 'up', ours: up, floor: () => send(bare.url), goal: GOALS.up },
      { name: 'down', ours: down, floor: () => receive(bare.url), goal: GOALS.down },
    ];
    const results = [];
    for (const { name, ours, floor, goal } of pairs) {
      let growth = 0;
      const seconds = await measureBeside({
        ours: async () => {
          let taken = NaN;
          const grown = await growthDuring(system.folder, async () => void (taken = await secondsOf(ours)));
          growth = Math.max(growth, grown);
          return taken;
        },
        floor: () => secondsOf(floor),
        warmUp: () => account.client.upload('transfer/warm', new Blob([Buffer.alloc(32 * MIB)])),
        times: ROUNDS,
        note,
      });
      const ratio = seconds.floor / seconds.ours;
      results.push({
        workload: `${FILE_MIB} MiB ${name}`,
        isolation,
        ours: `${(FILE_MIB / seconds.ours).toFixed(0)} MiB/s, grew by ${growth.toFixed(0)} MiB`,
        floor: `${(FILE_MIB / seconds.floor).toFixed(0)} MiB/s (node:http and a file)`,
        ratio,
        goal: `at least ${goal}, growth at most ${MAX_GROWTH} MiB`,
        met: ratio >= goal && growth <= MAX_GROWTH,
      });
    }
    return results;
  } finally {
    bare.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
