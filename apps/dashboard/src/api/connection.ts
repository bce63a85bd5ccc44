import { createStore } from '../store/create-store.js';

/** Whether the server responds. `lost` begins with a failed request and ends with a successful check. */
export const connection = createStore<'open' | 'lost'>('open');

const MIN_CHECK_INTERVAL_MS = 1_000;
const MAX_CHECK_INTERVAL_MS = 8_000;

let onRestore: () => void = () => undefined;

/** @param work done each time the connection is restored */
export function whenRestored(work: () => void): void {
  onRestore = work;
}

/** Reports a request without a response. Checks begin, at growing intervals, until the server responds. */
export function reportLostConnection(): void {
  if (connection.get() === 'lost') return;
  connection.set('lost');
  void checkUntilRestored();
}

async function checkUntilRestored(): Promise<void> {
  for (let interval = MIN_CHECK_INTERVAL_MS; ; interval = Math.min(2 * interval, MAX_CHECK_INTERVAL_MS)) {
    await new Promise((resolve) => setTimeout(resolve, interval));
    if (await isServerReady()) break;
  }
  connection.set('open');
  onRestore();
}

async function isServerReady(): Promise<boolean> {
  try {
    const { ok } = await fetch('/health/ready', { cache: 'no-store', signal: AbortSignal.timeout(5_000) });
    return ok;
  } catch {
    return false;
  }
}
