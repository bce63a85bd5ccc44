import { spawn } from 'node:child_process';

/** Commands that open an address in the user's browser. Not `cmd /c start`, which parses the address as a command line. */
const COMMANDS: Partial<Record<NodeJS.Platform, [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
};

interface Surroundings {
  platform: NodeJS.Platform;
  /** Whether the output of this command goes to a terminal. */
  isTerminal: boolean;
  /** Whether windows can be opened. Only considered on Linux, where some machines have no desktop. */
  hasDisplay: boolean;
}

export const canOpenBrowser = ({ platform, isTerminal, hasDisplay }: Surroundings): boolean =>
  isTerminal && platform in COMMANDS && (platform !== 'linux' || hasDisplay);

/** Opens a page without waiting for the result. If it fails, the user has the address on the screen. */
export function openBrowser(address: string, platform: NodeJS.Platform, env?: NodeJS.ProcessEnv): void {
  const url = URL.canParse(address) ? new URL(address) : null;
  const [command, ...args] = COMMANDS[platform] ?? [];
  if (command === undefined || !url || !['http:', 'https:'].includes(url.protocol)) return;
  const child = spawn(command, [...args, url.href], { stdio: 'ignore', detached: true, ...(env && { env }) });
  child.on('error', () => undefined);
  child.unref();
}
