import { formatDuration } from '../report.mjs';

/**
 * Shows the progress of a long task: in a terminal as one line that is overwritten, otherwise as a plain line at intervals.
 * @param {() => string} describe
 * @param {{ stream?: NodeJS.WriteStream, plainEveryMs?: number }} [options]
 * @returns {() => void} stops the display
 */
export function showProgress(describe, { stream = process.stdout, plainEveryMs = 10_000 } = {}) {
  const start = performance.now();
  const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
  let tick = 0;
  const line = () => `${describe()}, ${formatDuration(performance.now() - start)}`;
  const draw = () => stream.write(`\r\x1b[K${frames[tick++ % frames.length]} ${line()}`);
  const timer = setInterval(
    stream.isTTY ? draw : () => stream.write(`    ${line()}\n`),
    stream.isTTY ? 200 : plainEveryMs,
  );
  return () => {
    clearInterval(timer);
    if (stream.isTTY) stream.write('\r\x1b[K');
  };
}
