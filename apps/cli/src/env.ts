import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';

/**
 * A token with characters that a header can contain. If a header has others, the error message of Node contains the header
 * and with it the token.
 */
export const TOKEN = /^[\x21-\x7e]+$/;

const schema = z.object({
  MILLRACE_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address like https://millrace.example.org' })
    .optional(),
  MILLRACE_TOKEN: z.string().regex(TOKEN, 'must be a token without spaces and line breaks').optional(),
  MILLRACE_PROFILE: z.string().min(1).optional(),
  MILLRACE_DATA_DIR: z.string().min(1).optional(),
  XDG_CONFIG_HOME: z.string().min(1).optional(),
  DISPLAY: z.string().optional(),
  WAYLAND_DISPLAY: z.string().optional(),
  TERM: z.string().optional(),
  GITHUB_ACTIONS: z.string().optional(),
});

export interface CliEnv {
  url: string | null;
  token: string | null;
  /** Name of the profile to use; null for the current one. */
  profile: string | null;
  /** Data directory of a local server (`npm run up`) if it is not in the current folder or above. */
  dataDir: string | null;
  credentialsFile: string;
  /** Path of the file with the last saved version of each workflow file. */
  versionsFile: string;
  /** Whether a desktop (X11, Wayland) is available. Has no meaning on systems other than Linux. */
  hasDisplay: boolean;
  /** Whether the terminal, if there is one, can move its cursor. */
  hasCursor: boolean;
  /** Whether a job of GitHub Actions runs the command. */
  isGitHub: boolean;
}

/** Reads the environment. An empty variable counts as not set. */
export function readEnv(source: NodeJS.ProcessEnv): CliEnv {
  const variables = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const env = schema.parse(variables);
  const configFolder = env.XDG_CONFIG_HOME ?? join(homedir(), '.config');
  return {
    url: env.MILLRACE_URL ?? null,
    token: env.MILLRACE_TOKEN ?? null,
    // An address is more specific than a profile.
    profile: env.MILLRACE_URL === undefined ? (env.MILLRACE_PROFILE ?? null) : null,
    dataDir: env.MILLRACE_DATA_DIR === undefined ? null : resolve(env.MILLRACE_DATA_DIR),
    hasCursor: env.TERM !== 'dumb',
    isGitHub: env.GITHUB_ACTIONS === 'true',
    hasDisplay: (env.DISPLAY ?? env.WAYLAND_DISPLAY) !== undefined,
    credentialsFile: join(configFolder, 'millrace', 'credentials.json'),
    versionsFile: join(configFolder, 'millrace', 'versions.json'),
  };
}

/** The options of all commands. */
export interface GlobalOptions {
  url?: string;
  profile?: string;
}

/** Applies the options of all commands, which take precedence: `--profile` replaces server and token of the environment. */
export function applyGlobalOptions(env: CliEnv, { url, profile }: GlobalOptions): void {
  if (profile !== undefined) Object.assign(env, { profile, url: null, token: null });
  if (url !== undefined) Object.assign(env, { url, ...(profile === undefined && { profile: null }) });
}

/** Whether failures are shown with a stack. Separate from `readEnv`, because that can be the function that fails. */
export const isTraced = ({ MILLRACE_TRACE: trace }: NodeJS.ProcessEnv): boolean => trace !== undefined && trace !== '';
