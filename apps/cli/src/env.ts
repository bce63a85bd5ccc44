import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';

/** Characters that a header can carry; Node names the whole header where it cannot, and so the token. */
export const TOKEN = /^[\x21-\x7e]+$/;

const schema = z.object({
  MILLRACE_URL: z.url({ protocol: /^https?$/, error: 'must be like https://millrace.example.org' }).optional(),
  MILLRACE_TOKEN: z.string().regex(TOKEN, 'must be a token, without spaces and line ends').optional(),
  MILLRACE_DATA_DIR: z.string().min(1).optional(),
  XDG_CONFIG_HOME: z.string().min(1).optional(),
  DISPLAY: z.string().optional(),
  WAYLAND_DISPLAY: z.string().optional(),
});

export interface CliEnv {
  url: string | null;
  token: string | null;
  /** Data directory of an `npm run up` that is not where it would be looked for. */
  dataDir: string | null;
  credentialsFile: string;
  /** Which version each workflow file was when it was last run from here. */
  versionsFile: string;
  /** Whether a desktop is there (X11, Wayland); means nothing where windows need no such address. */
  hasDisplay: boolean;
}

/** Reads the environment; a variable that is set to nothing counts as not set. */
export function readEnv(source: NodeJS.ProcessEnv): CliEnv {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const env = schema.parse(given);
  const config = env.XDG_CONFIG_HOME ?? join(homedir(), '.config');
  return {
    url: env.MILLRACE_URL ?? null,
    token: env.MILLRACE_TOKEN ?? null,
    dataDir: env.MILLRACE_DATA_DIR === undefined ? null : resolve(env.MILLRACE_DATA_DIR),
    hasDisplay: (env.DISPLAY ?? env.WAYLAND_DISPLAY) !== undefined,
    credentialsFile: join(config, 'millrace', 'credentials.json'),
    versionsFile: join(config, 'millrace', 'versions.json'),
  };
}

/** Whether a failure is to show where in the program it happened; read apart, for `readEnv` may be what fails. */
export const isTraced = ({ MILLRACE_TRACE: trace }: NodeJS.ProcessEnv): boolean => trace !== undefined && trace !== '';
