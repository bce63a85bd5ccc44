import { existsSync } from 'node:fs';

/** An image of the stub: arguments of bubblewrap that make its root, and its environment. */
export interface StubImage {
  root: string[];
  env: Record<string, string>;
}

const SYSTEM = ['--ro-bind', '/usr', '/usr', '--ro-bind', '/etc', '/etc'];
const LINKS = ['bin', 'sbin', 'lib', 'lib64', 'lib32'];
const link = (name: string): string[] => (existsSync(`/${name}`) ? ['--symlink', `usr/${name}`, `/${name}`] : []);
const PATH = '/usr/local/bin:/usr/bin:/bin';

export const HELPER_IMAGE = 'registry.example.org/millrace-worker:test';
export const TOOL_IMAGE = 'registry.example.org/tools/debian:1';
export const BARE_IMAGE = 'registry.example.org/tools/bare:1';

/** @param busybox path of a static busybox */
export function makeImages(busybox: string): Map<string, StubImage> {
  const libraries = LINKS.filter((name) => name !== 'bin').flatMap(link);
  return new Map([
    // The image of the worker has /bin/busybox, which this machine need not have.
    [HELPER_IMAGE, { root: [...SYSTEM, ...libraries, '--ro-bind', busybox, '/bin/busybox'], env: { PATH } }],
    [TOOL_IMAGE, { root: [...SYSTEM, ...LINKS.flatMap(link)], env: { PATH, TOOL_VERSION: '1.4' } }],
    // No shell, no library: one static program.
    [BARE_IMAGE, { root: ['--ro-bind', busybox, '/app/echo'], env: { PATH: '/app' } }],
  ]);
}
