/** What is run, and its whole environment. */
export interface Command {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** Why a command was ended by us or the kernel, where it did not end by itself. */
export type KillReason = 'disk' | 'files' | 'fileSize' | 'memory' | 'lost';

/** How a command ended, and what it used. */
export interface CommandExit {
  code: number | null;
  signal: string | null;
  /** CPU time by the kernel's count, of the command and all that it started. */
  cpuMs: number;
  maxRssBytes: number;
  killReason: KillReason | null;
}
