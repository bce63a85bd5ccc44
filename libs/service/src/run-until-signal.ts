import { InvalidEnvironmentError, type ProcessEnv } from './env.js';
import { LogWriter } from './log-writer.js';
import { redactText } from './scrub.js';

export interface RunningService {
  close(): Promise<void>;
}

const TIMEOUT_MS = 14_000;

/** EX_CONFIG of sysexits.h: another start with the same environment fails in the same way. */
const INVALID_ENVIRONMENT = 78;

/**
 * Starts a process and ends it cleanly on TERM or INT. A failure at start, or one that nobody caught, ends it with code 1;
 * settings that are not valid end it with code 78.
 */
export async function runUntilSignal(
  start: (env: ProcessEnv) => Promise<RunningService>,
  env: ProcessEnv,
): Promise<void> {
  const fail = (error: unknown) => {
    new LogWriter('process', 2).write(`${redactText(describe(error))}\n`);
    process.exit(error instanceof InvalidEnvironmentError ? INVALID_ENVIRONMENT : 1);
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  const running = await start(env).catch(fail);
  if (!running) return;
  let isEnding = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(1), TIMEOUT_MS).unref();
    void running.close().then(() => process.exit(0), fail);
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

function describe(error: unknown): string {
  if (error instanceof InvalidEnvironmentError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
