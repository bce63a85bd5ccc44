import type { ProcessEnv } from './env.js';
import { LogWriter } from './log-writer.js';
import { scrub } from './scrub.js';

export interface Running {
  close(): Promise<void>;
}

const PATIENCE_MS = 14_000;

/** Starts a process and ends it cleanly on TERM or INT. A failure at start, or one that nobody caught, ends it with code 1. */
export async function runUntilSignal(start: (env: ProcessEnv) => Promise<Running>, env: ProcessEnv): Promise<void> {
  const fail = (error: unknown) => {
    new LogWriter('process', 2).write(
      `${scrub(error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`,
    );
    process.exit(1);
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  const running = await start(env).catch(fail);
  if (!running) return;
  let isEnding = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(1), PATIENCE_MS).unref();
    void running.close().then(() => process.exit(0), fail);
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}
