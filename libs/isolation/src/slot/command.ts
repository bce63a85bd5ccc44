/** A command line and its whole environment. */
export interface Command {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** Why a slot or the kernel killed a command: the limit that it exceeded, or `lost` if its runner ended. */
export type KillReason = 'disk' | 'files' | 'fileSize' | 'memory' | 'lost';

/** Exit status and usage of a command. */
export interface CommandExit {
  code: number | null;
  signal: string | null;
  /** CPU time of the command and all that it started, as the kernel counts it. */
  cpuMs: number;
  maxRssBytes: number;
  killReason: KillReason | null;
}
