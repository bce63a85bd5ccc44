import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';

/** A machine of its own, as far as the network is concerned. */
export interface NetworkNamespace {
  /**
   * Starts a program that reaches nothing but the addresses of this machine's side, and does not see a folder.
   * @param hidden a folder of the installation
   */
  spawn(args: readonly [string, ...string[]], options: { hidden: string; env: NodeJS.ProcessEnv }): ChildProcess;
}

export interface Network {
  /** An address of this machine that all namespaces reach. */
  address: string;
  namespaces: NetworkNamespace[];
  remove(): void;
}

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'pipe' });

/** Creates network namespaces, each connected by a pair of virtual interfaces. Requires root, which CI has. */
export function createNetwork(count: number): Network {
  const subnet = randomInt(1, 250);
  const names = Array.from({ length: count }, (_, index) => `millrace-${process.pid}-${subnet}-${index}`);
  const addressOf = (index: number, host: number) => `10.213.${subnet}.${index * 4 + host}`;
  const linkOf = (index: number, side: 'a' | 'b') => `mr${subnet}-${index}${side}`;
  names.forEach((name, index) => {
    const [outside, inside] = [linkOf(index, 'a'), linkOf(index, 'b')];
    ip('netns', 'add', name);
    ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', inside, 'netns', name);
    ip('addr', 'add', `${addressOf(index, 1)}/30`, 'dev', outside);
    ip('link', 'set', outside, 'up');
    ip('-n', name, 'addr', 'add', `${addressOf(index, 2)}/30`, 'dev', inside);
    for (const device of ['lo', inside]) ip('-n', name, 'link', 'set', device, 'up');
    ip('-n', name, 'route', 'add', 'default', 'via', addressOf(index, 1));
  });
  return {
    address: addressOf(0, 1),
    namespaces: names.map((name) => ({
      spawn: (args, { hidden, env }) =>
        // `ip netns exec` has a mount namespace of its own, so the mount concerns this program only.
        spawn('ip', ['netns', 'exec', name, 'sh', '-c', 'mount -t tmpfs none "$0" && exec "$@"', hidden, ...args], {
          env,
          stdio: ['ignore', 'pipe', 'pipe'],
        }),
    })),
    // Its interface goes with a namespace.
    remove: () => names.forEach((name) => ip('netns', 'del', name)),
  };
}
