/** @typedef {{ name: string, ph: string, ts: number, dur?: number, pid: number, tid: number }} TraceEvent */

const FRAME = 'bench-frame';

/** Events of the main thread in which scripts run. */
const SCRIPTS = new Set([
  ...['EventDispatch', 'FunctionCall', 'EvaluateScript', 'FireAnimationFrame', 'TimerFire', 'RunMicrotasks'],
  'FireIdleCallback',
]);

/**
 * Records the main thread of a page during some work.
 * @param {import('@playwright/test').Page} page
 * @param {() => Promise<void>} work
 * @returns {Promise<{ scripting: number[], seconds: number }>} milliseconds of scripts for each frame
 */
export async function traceFrames(page, work) {
  const cdp = await page.context().newCDPSession(page);
  /** @type {TraceEvent[]} */
  const events = [];
  cdp.on('Tracing.dataCollected', ({ value }) => events.push(.../** @type {TraceEvent[]} */ (value)));
  const complete = new Promise((resolve) => cdp.once('Tracing.tracingComplete', resolve));
  await cdp.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['devtools.timeline', 'blink.user_timing'] },
  });
  await page.evaluate(markFrames, FRAME);
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1000;
  await cdp.send('Tracing.end');
  await complete;
  await cdp.detach();
  return { scripting: scriptingPerFrame(events), seconds };
}

/**
 * Runs in the page: marks the beginning of each frame.
 * @param {string} name
 */
function markFrames(name) {
  const page = /** @type {{ isMarking?: boolean }} */ (globalThis);
  if (page.isMarking) return;
  page.isMarking = true;
  const mark = () => {
    performance.mark(name);
    requestAnimationFrame(mark);
  };
  mark();
}

/** @param {TraceEvent[]} events */
function scriptingPerFrame(events) {
  const frames = events.filter(({ name }) => name === FRAME).sort((a, b) => a.ts - b.ts);
  const [first] = frames;
  const main = events.filter(({ pid, tid }) => pid === first?.pid && tid === first?.tid);
  const scripts = main.filter(({ name, ph }) => ph === 'X' && SCRIPTS.has(name)).sort((a, b) => a.ts - b.ts);
  const sums = frames.map(() => 0);
  let [frame, end] = [0, 0];
  for (const { ts, dur = 0 } of scripts) {
    while ((frames[frame + 1]?.ts ?? Infinity) <= ts) frame++;
    // Scripts inside of others count once.
    const own = ts + dur - Math.max(ts, end);
    if (own > 0) sums[frame] = (sums[frame] ?? 0) + own / 1000;
    end = Math.max(end, ts + dur);
  }
  return sums;
}
