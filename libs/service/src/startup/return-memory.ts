/** How often a process looks whether it is idle. */
const CHECK_INTERVAL_MS = 30_000;
/** At the start, work that only a start has is over by then. */
const START_MS = 10_000;
/** Share of a processor. A service without requests needs a third of it. */
const IDLE_SHARE = 0.03;
/** How much the process must have grown, in bytes, to be worth a collection of 50 to 200 ms. */
const WORTHWHILE_BYTES = 16 * 2 ** 20;

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

/**
 * Returns memory to the system when a process has been idle: after its start and after a load, V8 keeps free pages for new
 * objects, up to a third of the process. Needs Node.js's option `--expose-gc`.
 */
export function returnMemoryWhenIdle(): void {
  const collect = (globalThis as { gc?: Collect }).gc;
  if (!collect) return;
  let smallest = 0;
  let usage = process.cpuUsage();
  let usageAt = performance.now();
  const check = () => {
    const used = process.cpuUsage(usage);
    const share = (used.user + used.system) / 1000 / (performance.now() - usageAt);
    usage = process.cpuUsage();
    usageAt = performance.now();
    if (share > IDLE_SHARE || process.memoryUsage.rss() < smallest + WORTHWHILE_BYTES) return;
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    smallest = process.memoryUsage.rss();
    usage = process.cpuUsage();
  };
  setTimeout(() => {
    check();
    setInterval(check, CHECK_INTERVAL_MS).unref();
  }, START_MS).unref();
}
