import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Files of /etc that programs need and that contain no secrets. */
const COPIED = [
  'ld.so.cache',
  'ld.so.conf',
  'localtime',
  'mime.types',
  'protocols',
  'services',
  'ssl/openssl.cnf',
  'timezone',
];

/** Folders of the same kind. They are mounted, because copying their hundreds of links takes a second. `ssl` itself contains keys. */
const MOUNTED = ['alternatives', 'pki/tls/certs', 'pki/ca-trust/extracted', 'ssl/certs'];

const WRITTEN = {
  passwd: 'root:x:0:0:root:/root:/bin/sh\nstep:x:65534:65534:step:/tmp:/bin/sh\n',
  group: 'root:x:0:\nstep:x:65534:\n',
  hosts: '127.0.0.1 localhost\n::1 localhost\n',
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
  // Empty; the machine's own file is mounted over it if a step has network.
  'resolv.conf': '',
};

/** Makes the folder that sandboxes see as /etc. It takes a few mounts instead of twenty, and contains nothing private. */
export function makeEtcFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of COPIED.filter(isOnMachine)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    copyFileSync(join('/etc', name), join(folder, name));
  }
  for (const name of MOUNTED.filter(isOnMachine)) mkdirSync(join(folder, name), { recursive: true });
  for (const [name, content] of Object.entries(WRITTEN)) writeFileSync(join(folder, name), content);
}

/** Folders of the machine to mount over the empty ones in the folder of `makeEtcFolder`. */
export const listEtcMounts = (): string[] => MOUNTED.filter(isOnMachine).map((name) => join('/etc', name));

function isOnMachine(name: string): boolean {
  return existsSync(join('/etc', name));
}
