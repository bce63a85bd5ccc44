import { setTimeout as sleep } from 'node:timers/promises';

/** Node.js opens its inspector here when it gets SIGUSR1. */
const INSPECTOR = 'http://127.0.0.1:9229/json';
const SAMPLING_INTERVAL_BYTES = 16 * 1024;

/**
 * Samples what a Node.js process allocates while `work` runs, with V8's heap profiler, and objects that were collected meanwhile.
 * @param {number} pid
 * @param {() => Promise<unknown>} work
 * @returns {Promise<number>} bytes
 */
export async function sampleAllocations(pid, work) {
  process.kill(pid, 'SIGUSR1');
  const inspector = await connect();
  try {
    await inspector.send('HeapProfiler.startSampling', {
      samplingInterval: SAMPLING_INTERVAL_BYTES,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    });
    await work();
    const { profile } = await inspector.send('HeapProfiler.stopSampling');
    return sumSizes(profile.head);
  } finally {
    await inspector.send('Runtime.evaluate', { expression: `process.getBuiltinModule('inspector').close()` });
    inspector.close();
  }
}

/** @param {{ selfSize: number, children: any[] }} node @returns {number} */
const sumSizes = ({ selfSize, children }) => children.reduce((sum, child) => sum + sumSizes(child), selfSize);

async function connect() {
  const [target] = await repeat(async () => (await fetch(INSPECTOR)).json());
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  /** @type {Map<number, (result: any) => void>} */
  const waiting = new Map();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(data);
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  let last = 0;
  return {
    /**
     * @param {string} method
     * @param {object} [params]
     * @returns {Promise<any>}
     */
    send(method, params = {}) {
      last += 1;
      socket.send(JSON.stringify({ id: last, method, params }));
      // The answer to the last call may not come, because the inspector ends.
      return Promise.race([new Promise((resolve) => waiting.set(last, resolve)), ended(socket)]);
    },
    close: () => socket.close(),
  };
}

const ended = (/** @type {WebSocket} */ socket) =>
  new Promise((resolve) => socket.addEventListener('close', () => resolve(undefined)));

/**
 * @template T
 * @param {() => Promise<T>} action
 */
async function repeat(action) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await action();
    } catch (error) {
      if (attempt === 50) throw error;
      await sleep(100);
    }
  }
}
