import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What programs need of /etc and no secret is in. `ssl` as a whole would show its private keys. */
const TAKEN_OVER = [
  'alternatives',
  'ca-certificates',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'mime.types',
  'pki/tls/certs',
  'protocols',
  'services',
  'ssl/certs',
  'ssl/openssl.cnf',
  'timezone',
];

const WRITTEN = {
  passwd: 'root:x:0:0:root:/root:/bin/sh\nstep:x:65534:65534:step:/tmp:/bin/sh\n',
  group: 'root:x:0:\nstep:x:65534:\n',
  hosts: '127.0.0.1 localhost\n::1 localhost\n',
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
  // Empty, but there to mount the machine's own over it where a step has network.
  'resolv.conf': '',
};

/** Makes the folder that sandboxes see as /etc: one mount instead of ten, and nothing private in it. */
export function makeEtcFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of TAKEN_OVER) {
    const source = join('/etc', name);
    if (!existsSync(source)) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(source, join(folder, name), {
      recursive: true,
      verbatimSymlinks: name !== 'localtime',
      dereference: name === 'localtime',
    });
  }
  for (const [name, content] of Object.entries(WRITTEN)) writeFileSync(join(folder, name), content);
}
