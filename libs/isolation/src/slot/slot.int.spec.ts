import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { findProcesses, waitUntilEnded } from '../testing/find-processes.js';
import { openSlot, type TestSlot } from '../testing/open-slot.js';

let open: TestSlot | null = null;
afterEach(async () => {
  await open?.end();
  open = null;
});

/** A number of seconds that no other process on the machine sleeps. */
const mark = () => `${600 + Math.floor(Math.random() * 1e6) / 1e6}`;

describe.each(['required', 'off'] as const)('a command, isolation %s', (isolation) => {
  const start = async (limits = {}) => (open = await openSlot(isolation, limits));

  it('runs with its arguments, environment and working directory, and writes its output to files', async () => {
    const { slot, sh } = await start();
    const exit = await sh('echo "$HOME"; pwd; echo oops >&2; cat in/a > out/b; exit 3').catch(String);
    expect(exit).toMatchObject({ code: 3, signal: null, killReason: null, stdout: `${slot.home}\n${slot.cwd}\n` });
  });

  it('reads inputs and writes outputs in the folders of its slot', async () => {
    const { slot, sh } = await start();
    writeFileSync(join(slot.folders.input, 'a'), 'content');
    expect(await sh('cat in/a > out/b && find in -type f')).toMatchObject({ code: 0, stdout: 'in/a\n' });
    expect(readFileSync(join(slot.folders.output, 'b'), 'utf8')).toBe('content');
  });

  it('is measured in CPU time and memory, with its descendants', async () => {
    const { sh } = await start();
    const exit = await sh("sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'");
    expect(exit.cpuMs).toBeGreaterThan(50);
    expect(exit.maxRssBytes).toBeGreaterThan(500_000);
    expect(exit.maxRssBytes).toBeLessThan(100_000_000);
  });

  it('is measured in CPU time with children that it does not wait for', async () => {
    const { slot, sh } = await start();
    const burn = 'if (!fork) { $x++ for 1..20_000_000; exit }';
    const exit = await sh(`perl -e '$SIG{CHLD} = "IGNORE"; ${burn} 1 while wait != -1'`);
    expect(exit).toMatchObject({ code: 0 });
    expect(exit.cpuMs).toBeGreaterThan(slot.countsAllCpuTime ? 50 : 0);
  });

  it('is measured in CPU time even if it tries to kill the runner', async () => {
    const { slot, sh } = await start();
    const exit = await sh('i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; kill -KILL $PPID');
    // In a sandbox the runner is process 1, which no process in it can kill. A user of its own cannot kill processes of root.
    const isSafe = slot.isSandboxed || slot.uid !== null;
    expect(exit.killReason).toBe(isSafe ? null : 'lost');
    expect(exit.cpuMs).toBeGreaterThan(isSafe || slot.countsAllCpuTime ? 50 : -1);
  });

  it('is not charged for earlier commands', async () => {
    const { sh } = await start();
    await sh("perl -e '$x++ for 1..20_000_000'");
    expect((await sh('true')).cpuMs).toBeLessThan(100);
  });

  it('fails like in a shell if its program does not exist', async () => {
    const { slot } = await start();
    const exit = await slot.run({ argv: ['no-such-program'], env: {} });
    expect(exit.code).toBe(127);
    expect(readFileSync(join(slot.folders.step, 'stderr'), 'utf8')).toBe(
      'cannot run no-such-program: No such file or directory\n',
    );
  });

  it('reports the name of the signal that ended it', async () => {
    const { sh } = await start();
    expect(await sh('kill -SEGV $$')).toMatchObject({ code: null, signal: 'SIGSEGV' });
  });

  it('leaves no daemon behind, even if it is detached twice and in a session of its own', async () => {
    const { sh } = await start();
    const seconds = mark();
    expect(
      await sh(`(setsid sh -c 'sleep ${seconds} & sleep ${seconds}' &) ; setsid -f sleep ${seconds}; sleep 0.1`),
    ).toMatchObject({ code: 0 });
    expect(findProcesses(seconds)).toEqual([]);
  });

  it('can end in order if it handles TERM', async () => {
    const { slot, sh } = await start();
    const ended = sh("trap 'echo bye; exit 5' TERM; echo up; while :; do sleep 0.05; done");
    await sleep(300);
    slot.stop();
    expect(await ended).toMatchObject({ code: 5, stdout: 'up\nbye\n' });
  });

  it('is killed after the grace time with all its processes if it ignores TERM', async () => {
    const { slot, sh } = await start();
    const seconds = mark();
    const ended = sh(`trap '' TERM; setsid -f sleep ${seconds}; while :; do sleep 0.05; done`);
    await sleep(300);
    slot.stop(500);
    expect(await ended).toMatchObject({ code: null, signal: 'SIGKILL' });
    expect(findProcesses(seconds)).toEqual([]);
  });

  it('is killed even if it has stopped itself', async () => {
    const { slot, sh } = await start();
    const ended = sh('kill -STOP $$');
    await sleep(200);
    slot.stop(300);
    expect(await ended).toMatchObject({ signal: 'SIGKILL' });
  });

  it('is ended if it writes a file larger than the limit', async () => {
    const { sh } = await start({ fileBytes: 5_000_000 });
    expect(await sh('cat /dev/zero > out/big')).toMatchObject({ killReason: 'fileSize' });
    expect(await sh('cat /dev/zero')).toMatchObject({ killReason: 'fileSize' });
  });

  it('is ended if it fills the disk with many files', async () => {
    const { sh } = await start({ diskBytes: 20_000_000 });
    // Less than its memory limit, because files on a disk in memory count towards it.
    const fill = 'for i in $(seq 100); do head -c 1000000 /dev/zero > out/$i; done; sleep 15';
    expect(await sh(fill)).toMatchObject({ killReason: 'disk' });
  });

  it('is ended if it fills the disk with unlinked files that are open or mapped', async () => {
    const { sh } = await start({ diskBytes: 20_000_000 });
    const fill = (keepOpen: string) => `perl -e '
      for (1..100) { open my $f, "+>", "out/f"; syswrite $f, "x" x 1_000_000; ${keepOpen}; unlink "out/f" } sleep 15'`;
    expect(await sh(fill('push @open, $f'))).toMatchObject({ killReason: 'disk' });
    const [mmap, page] = [process.arch === 'x64' ? 9 : 222, 4096];
    expect(await sh(fill(`syscall(${mmap}, 0, ${page}, 1, 1, fileno $f, 0)`))).toMatchObject({
      killReason: process.getuid?.() === 0 ? 'disk' : null,
    });
  });

  it('is charged once for an unlinked file, and not for files in memory', async () => {
    const { slot, sh } = await start({ diskBytes: 20_000_000 });
    const writeUnlinked = (path: string, size: number) =>
      `open my $f, ">", "${path}"; syswrite $f, "x" x ${size}; unlink "${path}"`;
    const memory = slot.isSandboxed ? writeUnlinked('/tmp/f', 30_000_000) : '';
    expect(await sh(`perl -e '${writeUnlinked('out/f', 8_000_000)}; fork; fork; ${memory}; sleep 3'`)).toMatchObject({
      code: 0,
      killReason: null,
    });
  });

  it('is ended if it makes more files than the limit, and all of them are removed', async () => {
    const { slot, sh } = await start({ diskEntries: 2000 });
    expect(await sh('i=0; while :; do i=$((i+1)); : > out/$i; done')).toMatchObject({ killReason: 'files' });
    await slot.clear();
    expect(readdirSync(slot.folders.work).sort()).toEqual(['in', 'out']);
    expect(readdirSync(slot.folders.output)).toEqual([]);
  });

  it('leaves a working directory that can be emptied, even after it made it unreadable or replaced its folders', async () => {
    const { slot, sh } = await start();
    await sh(
      'mkdir -p a/b/c; : > a/b/c/d; chmod 0 a/b/c a/b a; mkfifo p; ln -s / root; rmdir out; ln -s /etc out; mv in in2 && ln -s /etc in; printf x > "$(printf "n\\377\\nm")"',
    );
    await slot.clear();
    expect(readdirSync(slot.folders.work).sort()).toEqual(['in', 'out']);
    for (const path of [slot.folders.output, slot.folders.input]) mkdirSync(join(path, 'usable'));
  });

  it('leaves folders that the next command can use, even after it removed their permissions', async () => {
    const { slot, sh } = await start();
    await sh('chmod 0 out "$HOME" . $(dirname "$0")');
    await slot.clear();
    expect(await sh('echo x > out/x; echo x > $HOME/x; cat out/x')).toMatchObject({ code: 0, stdout: 'x\n' });
  });

  it('is limited and killed with all its processes if it forks without end', async () => {
    const { slot, sh } = await start({ processes: 100 });
    const seconds = mark();
    // If the number of processes is not limited, a bomb that limits itself shows that all of them are killed.
    const again = slot.kernelLimits.processes
      ? 'bomb & bomb'
      : '[ $1 -eq 0 ] || { bomb $(($1 - 1)) & bomb $(($1 - 1)); }';
    const ended = sh(`bomb() { sleep ${seconds} & ${again}; }; bomb 6; wait`);
    await sleep(1000);
    slot.stop(0);
    expect((await ended).code).not.toBe(0);
    expect(findProcesses(seconds)).toEqual([]);
    expect(await sh('echo alive')).toMatchObject({ code: 0, stdout: 'alive\n' });
  });

  it('has its own exit code if it leaves hundreds of processes, which are all killed', async () => {
    const { sh } = await start();
    const seconds = mark();
    expect(await sh(`for i in $(seq 300); do sleep ${seconds} & done; exit 7`)).toMatchObject({
      code: 7,
      killReason: null,
    });
    expect(findProcesses(seconds)).toEqual([]);
  });

  it('is ended if it exceeds its memory limit', async () => {
    const { slot, sh } = await start();
    const exit = await sh(`perl -e '$x = "x" x 100_000_000; $y = "$x$x$x$x"; print length $y'`);
    // Without control groups the kernel does not limit memory, and `kernelLimits` reports that. The command then ends normally.
    expect(exit.killReason).toBe(slot.kernelLimits.memory ? 'memory' : null);
    await slot.open({ network: false, memoryBytes: 256 * 1024 * 1024 });
    expect(await sh('echo alive')).toMatchObject({ code: 0, stdout: 'alive\n' });
  });

  it('is killed when its worker shuts down', async () => {
    const { slot, sh } = await start();
    const seconds = mark();
    void sh(`setsid -f sleep ${seconds}; sleep ${seconds}`).catch(() => undefined);
    await sleep(300);
    expect(findProcesses(seconds).length).toBe(2);
    void slot.shutdown();
    expect(await waitUntilEnded(3000, seconds)).toEqual([]);
  });

  it('does not see files of the command before it', async () => {
    const { slot, sh } = await start();
    await sh('mkdir -p $HOME/d/e; echo secret | tee $HOME/f $HOME/d/e/g here; chmod 0 $HOME/d');
    await slot.clear();
    expect(await sh('find $HOME . -mindepth 1 | sort')).toMatchObject({ stdout: './in\n./out\n' });
  });
});
