import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync, writeFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findDescendants } from '../limits/find-descendants.js';
import { findProcesses, waitUntilExited } from '../testing/find-processes.js';
import { openSlot, type TestSlot } from '../testing/open-slot.js';
import { SANDBOX_PATHS } from './build-bwrap-arguments.js';

let open: TestSlot;
beforeEach(async () => {
  open = await openSlot('required');
});
afterEach(() => open.end());

describe('a command in a sandbox', () => {
  it('sees only the programs of the machine', async () => {
    const { stdout } = await open.sh('ls -A /; ls -A /home /root /var /run /sys /srv 2>/dev/null');
    expect(stdout.split('\n').filter((name) => !/^(bin|sbin|lib\d*|)$/.test(name))).toEqual([
      'dev',
      'etc',
      'opt',
      'proc',
      'step',
      'tmp',
      'usr',
      'work',
    ]);
  });

  it('cannot read files or the environment of this process', async () => {
    const secret = join(open.folder, 'secret');
    writeFileSync(secret, 'not for steps');
    const { stdout } = await open.sh(
      `cat ${secret} /etc/shadow /etc/ssl/private/* /proc/1/environ /proc/1/fd/0 2>/dev/null; cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'`,
    );
    expect(stdout).not.toContain('not for steps');
    expect(stdout.split('\n').filter((line) => line && !/^(PATH|HOME|PWD|SHLVL|_)=/.test(line))).toEqual([]);
  });

  it('inherits no open file', async () => {
    expect((await open.sh('for n in /proc/self/fd/*; do echo ${n##*/}; done | sort -n | tail -1')).stdout).toMatch(
      /^(3|255)\n$/,
    );
  });

  it('sees only its own processes', async () => {
    const { stdout } = await open.sh("ls /proc | grep -c '^[0-9]'");
    expect(Number(stdout)).toBeLessThan(6);
  });

  // Opens files for appending and writes nothing: if a protection is missing, the test must not change settings of the machine.
  it('cannot change files outside of its working directory', async () => {
    const paths = [
      '/x',
      '/usr/x',
      '/etc/x',
      '/etc/passwd',
      '/dev/x',
      'in/x',
      '/opt/millrace/runner.pl',
      '/proc/sysrq-trigger',
    ];
    const settings = [
      '/proc/sys/kernel/core_pattern',
      '/proc/sys/kernel/hostname',
      '/proc/sys/vm/overcommit_memory',
      '/proc/irq/default_smp_affinity',
    ];
    const { stdout } = await open.sh(
      `for f in ${[...paths, ...settings].join(' ')}; do (: >> $f) 2>/dev/null && echo "opened $f"; done; echo done`,
    );
    expect(stdout).toBe('done\n');
  });

  it('uses devices, but cannot change those of the machine', async () => {
    const { stdout } = await open.sh(
      `for d in null zero full random urandom; do chmod 666 /dev/$d 2> /dev/null && echo "changed $d"; done; echo x > /dev/null && head -c1 /dev/zero | wc -c`,
    );
    expect(stdout).toBe('1\n');
  });

  it('cannot make user namespaces, in which it would be root', async () => {
    expect(await open.sh('unshare --user --map-root-user true || unshare --user true || echo refused')).toMatchObject({
      stdout: 'refused\n',
    });
  });

  it('cannot write to, chmod or link an input', async () => {
    const input = join(open.slot.folders.input, 'a');
    writeFileSync(input, 'stored', { mode: 0o444 });
    const before = statSync(input);
    await open.sh('echo x >> in/a; chmod 777 in/a; ln in/a out/a; touch in/a; rm -f in/a; mv in in2');
    expect(readFileSync(input, 'utf8')).toBe('stored');
    expect(statSync(input)).toMatchObject({ mode: before.mode, nlink: 1, mtimeMs: before.mtimeMs });
  });

  it('cannot reach the machine by network', async () => {
    const server = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      const fetch = `exec 3<>/dev/tcp/127.0.0.1/${port} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3`;
      expect(await open.sh(fetch)).toMatchObject({ code: 1, stdout: '' });
      await open.slot.open({ network: true, memoryBytes: 2 ** 28 });
      expect((await open.sh(fetch)).stdout).toContain('hello');
    } finally {
      server.close();
    }
  });

  it('cannot trace, stop or impersonate the runner', async () => {
    const exit = await open.sh(
      'kill -KILL 1; kill -STOP 1; cat /proc/1/mem; for n in 0 1 2 3; do cat < /proc/1/fd/$n; printf "\\0\\0\\0\\0" > /proc/1/fd/$n; done; echo done',
    );
    expect(exit).toMatchObject({ code: 0, stdout: 'done\n' });
    expect(await open.sh('echo alive')).toMatchObject({ stdout: 'alive\n' });
  });

  it('gains no capability, and cannot undo its mounts', async () => {
    const { stdout } = await open.sh(
      'grep -E "^(CapEff|CapPrm|NoNewPrivs)" /proc/self/status; id -u; umount "$PWD/in" && echo unmounted',
    );
    expect(stdout).toBe('CapPrm:\t0000000000000000\nCapEff:\t0000000000000000\nNoNewPrivs:\t1\n65534\n');
  });

  it('leaves nothing for the next sandbox', async () => {
    await open.sh('echo x > /tmp/x; sleep 999.125 &');
    await open.slot.close();
    open.slot.reserve('another');
    await open.slot.open({ network: false, memoryBytes: 2 ** 28 });
    expect(await open.sh('ls -A /tmp . out')).toMatchObject({ stdout: '.:\nin\nout\n\n/tmp:\n\nout:\n' });
    expect(findProcesses('999.125')).toEqual([]);
  });

  it('never runs outside of a sandbox if bubblewrap is killed', async () => {
    const bwrap = findProcesses(open.folder).filter((id) => readFileSync(`/proc/${id}/comm`, 'utf8') === 'bwrap\n');
    expect(bwrap.length).toBeGreaterThan(0);
    const sandbox = (await Promise.all(bwrap.map(findDescendants))).flat();
    mkdirSync(join(open.slot.folders.output, 'mark'));
    for (const id of bwrap) process.kill(id, 'SIGKILL');
    expect(await waitUntilExited(3_000, sandbox)).toEqual([]);
    const exit = await open.slot.run({
      argv: ['/bin/sh', '-c', `touch ${join(open.slot.folders.output, 'escaped')} ${SANDBOX_PATHS.work}/out/escaped`],
      env: {},
    });
    expect(exit.killReason).toBe('lost');
    expect(readdirSync(open.slot.folders.output)).toEqual(['mark']);
    await open.slot.open({ network: false, memoryBytes: 2 ** 28 });
    expect((await open.sh('ls out')).stdout).toBe('');
  });
});
