import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findProcesses } from '../testing/find-processes.js';
import { openSlot, type TestSlot } from '../testing/open-slot.js';

const NEEDS = { network: false, memoryBytes: 2 ** 28 };
/** Numbers of namespaces are given again; together with the start of its process 1 one is known. */
const WHICH = "readlink /proc/self/ns/pid; cut -d' ' -f22 /proc/1/stat";

/** Numbers of system calls (asm/unistd.h). */
const CALLS = process.arch === 'x64' ? { addKey: 248, mqOpen: 240 } : { addKey: 217, mqOpen: 180 };

let open: TestSlot;
beforeEach(async () => {
  open = await openSlot('required');
});
afterEach(() => open.end());

const sandbox = async () => (await open.sh(WHICH)).stdout;
const next = async (owner: string, needs = NEEDS) => {
  await open.slot.close();
  open.slot.reserve(owner);
  await open.slot.open(needs);
};

describe('a sandbox that was closed', () => {
  it('serves its owner again, and nobody else', async () => {
    const first = await sandbox();
    await next('owner');
    expect(await sandbox()).toBe(first);
    await next('another');
    const second = await sandbox();
    expect(second).not.toBe(first);
    await next('owner');
    expect([first, second]).not.toContain(await sandbox());
  });

  it('holds nothing of what ran in it', async () => {
    await open.sh(
      `setsid -f sleep 999.126; echo x | tee /tmp/x /dev/shm/x x out/x /step/x; mkdir -p /tmp/d/e; chmod 0 /tmp/d; ipcmk -M 4096 -S 2 -Q`,
    );
    const first = await sandbox();
    await next('owner');
    expect(findProcesses('999.126')).toEqual([]);
    expect(await open.sh('ls -A /tmp /dev/shm . out; ls /step; tail -qn +2 /proc/sysvipc/*')).toMatchObject({
      stdout: '.:\nin\nout\n\n/dev/shm:\n\n/tmp:\n\nout:\nscript\nstderr\nstdout\n',
    });
    expect(await sandbox()).toBe(first);
  });

  it('makes no keys, which all sandboxes of one user would share', async () => {
    const add = `my ($type, $name, $text) = qw(user name text);
      print syscall(${CALLS.addKey}, $type, $name, $text, 4, $_) > 0 ? "made " : "$! " for -3, -4, -5`;
    expect((await open.sh(`perl -e '${add}'`)).stdout).toBe('Function not implemented '.repeat(3));
  });

  it('gives no message queues that would stay', async () => {
    const make = `perl -e 'my $name = "q"; print syscall(${CALLS.mqOpen}, $name, 0102, 0600, 0) < 0 ? "none" : "made"'`;
    expect((await open.sh(make)).stdout).toBe('none');
  });

  it('is not kept where a command changed what the next would have from it', async () => {
    for (const change of ['prlimit --pid 1 --nofile=20:20', 'renice 5 1', 'taskset -p 1 1']) {
      await next('owner');
      const first = await sandbox();
      expect((await open.sh(`${change} > /dev/null`)).code).toBe(0);
      await next('owner');
      expect(await sandbox()).not.toBe(first);
    }
  });

  it('leaves devices as they were, whether its commands may change them or not', async () => {
    const look = 'stat -c "%a %n" /dev /dev/pts /dev/null /dev/zero /dev/tty';
    const before = (await open.sh(look)).stdout;
    expect(before).toContain('755 /dev/pts\n');
    await open.sh('chmod 0 /dev/pts; chmod 0 /dev /dev/null /dev/zero /dev/tty; true');
    await next('owner');
    expect((await open.sh(look)).stdout).toBe(before);
  });

  it('leaves no mode, list of access or attribute on folders that others get', async () => {
    const mark = `import os, struct
acl = struct.pack('<I', 2) + b''.join(struct.pack('<HHI', tag, 0, 0xffffffff) for tag in (1, 4, 0x20))
for path in ('.', 'out', '/step', '/step/stdout', '/step/stderr'):
  os.setxattr(path, 'user.leak', b'secret')
  if os.path.isdir(path): os.setxattr(path, 'system.posix_acl_default', acl)
for path in ('/step/stdout', 'out', '/step', '.'): os.chmod(path, 0)`;
    expect((await open.sh(`python3 -c "${mark}"`)).code).toBe(0);
    await next('another');
    const list = `import os; print([os.listxattr(p) for p in ('.', 'out', '/step', '/step/stdout', '/step/stderr')])`;
    expect((await open.sh(`touch x out/x && python3 -c "${list}"`)).stdout).toBe('[[], [], [], [], []]\n');
  });

  it('waits a while for its owner, and then for anybody', async () => {
    const first = await sandbox();
    await open.slot.close();
    expect(open.slot.sandboxOwner).toBe('owner');
    await sleep(2_500);
    expect(open.slot.sandboxOwner).toBeNull();
    open.slot.reserve('owner');
    await open.slot.open(NEEDS);
    expect(await sandbox()).not.toBe(first);
  });

  it('is not kept without network for one who needs it, nor with it for one who does not', async () => {
    const first = await sandbox();
    await next('owner', { ...NEEDS, network: true });
    const second = await sandbox();
    expect(second).not.toBe(first);
    await next('owner');
    expect(await sandbox()).not.toBe(second);
  });

  it.each([
    ['failed', async () => void (await open.sh('exit 1'))],
    ['was stopped', () => runAndStop("trap 'exit 0' TERM; while :; do sleep 0.05; done")],
    ['was killed', () => runAndStop("trap '' TERM; while :; do sleep 0.05; done")],
    ['left what cannot be removed', () => nest()],
  ])('is not kept where a command %s', async (_, spoil) => {
    const first = await sandbox();
    await spoil();
    await open.slot.close();
    expect(open.slot.sandboxOwner).toBeNull();
    open.slot.reserve('owner');
    await open.slot.open(NEEDS);
    expect(await sandbox()).not.toBe(first);
    expect((await open.sh('ls -A /tmp /dev/shm')).stdout).toBe('/dev/shm:\n\n/tmp:\n');
  });
});

async function runAndStop(script: string): Promise<void> {
  const ended = open.sh(script);
  await sleep(300);
  open.slot.stop(200);
  await ended;
}

/** Paths longer than the system takes. */
async function nest(): Promise<void> {
  await open.sh('cd /tmp; for i in $(seq 100); do mkdir $(printf "%0200d" 0); cd $(printf "%0200d" 0); done');
}
