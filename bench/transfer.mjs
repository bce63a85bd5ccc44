import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { compareWithFloor, timeSeconds } from './lib/measure.mjs';

const MIB = 2 ** 20;
const FILE_MIB = 2048;
const MAX_GROWTH_MIB = 64;
/** The page cache makes single measurements differ by a factor of three. */
const ROUNDS = 3;
const SERVICES = ['gateway', 'workflows', 'runs', 'worker', 'auth'];
/** Shares of the floor's speed. An upload is also hashed and synced to disk. */
const GOALS = { up: 0.3, down: 0.5 };

/** @param {number} mib */
function* blocks(mib) {
  const block = Buffer.alloc(MIB, 'transfer');
  for (let number = 0; number < mib; number += 1) {
    block.writeUInt32BE(number);
    yield Buffer.from(block);
  }
}

/** Peak memory of a process in MiB (proc(5): VmHWM). @param {number} pid */
const readPeakMemory = (pid) =>
  Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** @param {string} folder data directory of the system @param {() => Promise<unknown>} work */
async function measureGrowth(folder, work) {
  const pids = SERVICES.map((name) => Number(readFileSync(join(folder, 'run', `${name}.pid`), 'utf8')));
  for (const pid of pids) writeFileSync(`/proc/${pid}/clear_refs`, '5');
  const before = pids.map(readPeakMemory);
  await work();
  return Math.max(...pids.map((pid, index) => readPeakMemory(pid) - (before[index] ?? 0)));
}

/**
 * Starts the floor: a separate process with Node's HTTP server, which copies between the network and a file.
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
  const upload = request(url, { method: 'POST' });
  const responded = once(upload, 'response');
  await pipeline(Readable.from(blocks(FILE_MIB)), upload);
  const [response] = await responded;
  response.resume();
  await once(response, 'end');
}

/** @param {string} url @param {Record<string, string>} [headers] */
async function receive(url, headers = {}) {
  const download = request(url, { headers }).end();
  const [response] = await once(download, 'response');
  let bytes = 0;
  for await (const chunk of response) bytes += chunk.length;
  if (bytes !== FILE_MIB * MIB)
    throw new Error(`Expected ${FILE_MIB * MIB} bytes, got ${bytes} (status ${response.statusCode})`);
}

/**
 * Uploads and downloads a file of 2 GiB. Measures the speed, with Node's HTTP server as the floor, and the largest growth
 * of a service's memory.
 * @param {import('./run.mjs').BenchContext} bench
 * @returns {Promise<import('./run.mjs').Result[]>}
 */
export async function benchTransfer({ system, account, isolation, note }) {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-transfer-'));
  const bare = await startFloor(folder);
  try {
    let id = '';
    const up = async () => {
      const stream = () => /** @type {ReadableStream<Uint8Array>} */ (Readable.toWeb(Readable.from(blocks(FILE_MIB))));
      ({ id } = await account.client.files.upload('transfer/file', stream));
    };
    const down = () =>
      receive(`${system.url}/api/storage/files/${id}/download`, { authorization: `Token ${account.token}` });
    const pairs = [
      { name: 'upload', ours: up, floor: () => send(bare.url), goal: GOALS.up },
      { name: 'download', ours: down, floor: () => receive(bare.url), goal: GOALS.down },
    ];
    const results = [];
    for (const { name, ours, floor, goal } of pairs) {
      let growth = 0;
      const seconds = await compareWithFloor({
        ours: async () => {
          let elapsed = NaN;
          const measured = await measureGrowth(system.folder, async () => void (elapsed = await timeSeconds(ours)));
          growth = Math.max(growth, measured);
          return elapsed;
        },
        floor: () => timeSeconds(floor),
        warmUp: () => account.client.files.upload('transfer/warm', new Blob([Buffer.alloc(32 * MIB)])),
        rounds: ROUNDS,
        note,
      });
      const ratio = seconds.floor / seconds.ours;
      results.push({
        workload: `${name} of ${FILE_MIB} MiB`,
        isolation,
        ours: `${(FILE_MIB / seconds.ours).toFixed(0)} MiB/s, memory grew by ${growth.toFixed(0)} MiB`,
        floor: `${(FILE_MIB / seconds.floor).toFixed(0)} MiB/s (node:http)`,
        ratio,
        goal: `at least ${goal} of the floor, growth at most ${MAX_GROWTH_MIB} MiB`,
        met: ratio >= goal && growth <= MAX_GROWTH_MIB,
      });
    }
    return results;
  } finally {
    bare.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
