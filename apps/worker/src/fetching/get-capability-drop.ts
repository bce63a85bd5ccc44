import { spawnSync } from 'node:child_process';

const DROP = ['/usr/bin/setpriv', '--no-new-privs', '--inh-caps=-all', '--bounding-set=-all', '--'] as const;
let prefix: string | undefined;

/**
 * Prefix of a shell command that drops all capabilities, even if this process is root: setpriv(1) of util-linux. Empty for an
 * ordinary user, or if this process cannot drop capabilities.
 */
export function getCapabilityDrop(): string {
  prefix ??= process.getuid?.() === 0 && works() ? DROP.join(' ') : '';
  return prefix;
}

function works(): boolean {
  const [command, ...args] = DROP;
  return spawnSync(command, [...args, '/bin/true'], { stdio: 'ignore' }).status === 0;
}
