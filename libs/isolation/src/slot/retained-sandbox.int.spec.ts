import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findProcesses } from '../testing/find-processes.js';
import { openSlot, type TestSlot } from '../testing/open-slot.js';

const REQUIREMENTS = { network: false, memoryBytes: 2 ** 28 };
/** Identifies a sandbox. The kernel reuses numbers of namespaces, so the start time of process 1 is needed too. */
const IDENTIFY = "readlink /proc/self/ns/pid; cut -d' ' -f22 /proc/1/stat";

/** Numbers of system calls (asm/unistd.h). */
const CALLS = process.arch === 'x64' ? { addKey: 248, mqOpen: 240 } : { addKey: 217, mqOpen: 180 };

let open: TestSlot;
beforeEach(async () => {
  open = await openSlot('required');
});
afterEach(() => open.end());

const identify = async () => (await open.sh(IDENTIFY)).stdout;
const reopen = async (owner: string, requirements = REQUIREMENTS) => {
  await open.slot.close();
  open.slot.reserve(owner);
  await open.slot.open(requirements);
};

describe('a retained sandbox', () => {
  it('is used again by its owner, and by no other', async () => {
    const first = await identify();
    await reopen('owner');
    expect(await identify()).toBe(first);
    await reopen('another');
    const second = await identify();
    expect(second).not.toBe(first);
    await reopen('owner');
    expect([first, second]).not.toContain(await identify());
  });

  it('contains no files, processes or IPC objects of earlier commands', async () => {
    await open.sh(
      `setsid -f sleep 999.126; echo x | tee /tmp/x /dev/shm/x x out/x /step/x; mkdir -p /tmp/d/e; chmod 0 /tmp/d; ipcmk -M 4096 -S 2 -Q`,
    );
    const first = await identify();
    await reopen('owner');
    expect(findProcesses('999.126')).toEqual([]);
    expect(await open.sh('ls -A /tmp /dev/shm . out; ls /step; tail -qn +2 /proc/sysvipc/*')).toMatchObject({
      stdout: '.:\nin\nout\n\n/dev/shm:\n\n/tmp:\n\nout:\nscript\nstderr\nstdout\n',
    });
    expect(await identify()).toBe(first);
  });

  it('cannot make kernel keys, which all sandboxes of one user would share', async () => {
    const add = `my ($type, $name, $text) = qw(user name text);
      print syscall(${CALLS.addKey}, $type, $name, $text, 4, $_) > 0 ? "made " : "$! " for -3, -4, -5`;
    expect((await open.sh(`perl -e '${add}'`)).stdout).toBe('Function not implemented '.repeat(3));
  });

  it('cannot make POSIX message queues, which would outlive their processes', async () => {
    const make = `perl -e 'my $name = "q"; print syscall(${CALLS.mqOpen}, $name, 0102, 0600, 0) < 0 ? "none" : "made"'`;
    expect((await open.sh(make)).stdout).toBe('none');
  });

  it('is replaced if a command changed limits, niceness or processors of its first process', async () => {
    for (const change of ['prlimit --pid 1 --nofile=20:20', 'renice 5 1', 'taskset -p 1 1']) {
      await reopen('owner');
      const first = await identify();
      expect((await open.sh(`${change} > /dev/null`)).code).toBe(0);
      await reopen('owner');
      expect(await identify()).not.toBe(first);
    }
  });

  it('has unchanged device modes, even if commands may change them', async () => {
    const look = 'stat -c "%a %n" /dev /dev/pts /dev/null /dev/zero /dev/tty';
    const before = (await open.sh(look)).stdout;
    expect(before).toContain('755 /dev/pts\n');
    await open.sh('chmod 0 /dev/pts; chmod 0 /dev /dev/null /dev/zero /dev/tty; true');
    await reopen('owner');
    expect((await open.sh(look)).stdout).toBe(before);
  });

  it('leaves no mode, access control list or attribute on folders for the next owner', async () => {
    const mark = `import os, struct
acl = struct.pack('<I', 2) + b''.join(struct.pack('<HHI', tag, 0, 0xffffffff) for tag in (1, 4, 0x20))
for path in ('.', 'out', '/step', '/step/stdout', '/step/stderr'):
  os.setxattr(path, 'user.leak', b'secret')
  if os.path.isdir(path): os.setxattr(path, 'system.posix_acl_default', acl)
for path in ('/step/stdout', 'out', '/step', '.'): os.chmod(path, 0)`;
    expect((await open.sh(`python3 -c "${mark}"`)).code).toBe(0);
    await reopen('another');
    const list = `import os; print([os.listxattr(p) for p in ('.', 'out', '/step', '/step/stdout', '/step/stderr')])`;
    expect((await open.sh(`touch x out/x && python3 -c "${list}"`)).stdout).toBe('[[], [], [], [], []]\n');
  });

  it('is replaced by one for any owner after a while', async () => {
    const first = await identify();
    await open.slot.close();
    expect(open.slot.sandboxOwner).toBe('owner');
    await sleep(2_500);
    expect(open.slot.sandboxOwner).toBeNull();
    open.slot.reserve('owner');
    await open.slot.open(REQUIREMENTS);
    expect(await identify()).not.toBe(first);
  });

  it('is replaced if the next command needs another network setting', async () => {
    const first = await identify();
    await reopen('owner', { ...REQUIREMENTS, network: true });
    const second = await identify();
    expect(second).not.toBe(first);
    await reopen('owner');
    expect(await identify()).not.toBe(second);
  });

  it.each([
    ['failed', async () => void (await open.sh('exit 1'))],
    ['was stopped', () => runAndStop("trap 'exit 0' TERM; while :; do sleep 0.05; done")],
    ['was killed', () => runAndStop("trap '' TERM; while :; do sleep 0.05; done")],
    ['left folders that cannot be removed', () => nestTooDeep()],
  ])('is replaced if a command %s', async (_, runCommand) => {
    const first = await identify();
    await runCommand();
    await open.slot.close();
    expect(open.slot.sandboxOwner).toBeNull();
    open.slot.reserve('owner');
    await open.slot.open(REQUIREMENTS);
    expect(await identify()).not.toBe(first);
    expect((await open.sh('ls -A /tmp /dev/shm')).stdout).toBe('/dev/shm:\n\n/tmp:\n');
  });
});

async function runAndStop(script: string): Promise<void> {
  const ended = open.sh(script);
  await sleep(300);
  open.slot.stop(200);
  await ended;
}

/** Makes paths that are longer than the maximum of the system. */
async function nestTooDeep(): Promise<void> {
  await open.sh('cd /tmp; for i in $(seq 100); do mkdir $(printf "%0200d" 0); cd $(printf "%0200d" 0); done');
}
