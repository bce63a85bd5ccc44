import { spawn } from 'node:child_process';

/** What shows an address in the user's browser. Not `cmd /c start`, which would read the address as a command line. */
const COMMANDS: Partial<Record<NodeJS.Platform, [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
};

interface Surroundings {
  platform: NodeJS.Platform;
  /** Whether somebody sees what this command writes. */
  isTerminal: boolean;
  /** Whether windows can be opened; only Linux has machines where they cannot. */
  hasDisplay: boolean;
}

export const canOpenBrowser = ({ platform, isTerminal, hasDisplay }: Surroundings): boolean =>
  isTerminal && platform in COMMANDS && (platform !== 'linux' || hasDisplay);

/** Opens a page and does not wait; where that fails the user has the address on the screen. */
export function openBrowser(address: string, platform: NodeJS.Platform, env?: NodeJS.ProcessEnv): void {
  const url = URL.parse(address);
  const [command, ...args] = COMMANDS[platform] ?? [];
  if (command === undefined || !url || !['http:', 'https:'].includes(url.protocol)) return;
  const child = spawn(command, [...args, url.href], { stdio: 'ignore', detached: true, ...(env && { env }) });
  child.on('error', () => undefined);
  child.unref();
}
