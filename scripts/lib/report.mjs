/**
 * Prints one line for the user who started the command.
 * @typedef {(line: string) => void} Report
 */

/**
 * An expected failure. Its message contains the next step for the user. It is printed without a stack trace.
 */
export class UserError extends Error {
  /**
   * @param {string} message
   * @param {number} [exitCode]
   */
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** @param {number} ms */
export function formatDuration(ms) {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/**
 * Runs a phase, and reports its name and duration if it succeeds.
 * @template T
 * @param {Report} report
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function phase(report, name, work) {
  const start = performance.now();
  const result = await work();
  report(`  ${name.padEnd(24)} ${formatDuration(performance.now() - start)}`);
  return result;
}

/**
 * Runs a script's main function. An expected failure becomes a message and an exit code.
 * @param {() => Promise<number | void>} main returns the exit code, by default 0
 */
export async function runMain(main) {
  // A reader that closes the pipe (`npm run up | head`) must not end the supervisor.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    const isExpected = error instanceof UserError;
    console.error(isExpected ? `\n${error.message}` : error);
    process.exitCode = isExpected ? error.exitCode : 1;
  }
}
