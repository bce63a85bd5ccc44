import { randomUUID } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findProcesses, waitUntilEnded } from '@millrace/isolation/testing/find-processes';
import { startSandboxHost, type TestSandboxHost } from './testing/start-sandbox-host.js';

let host: TestSandboxHost;
beforeAll(async () => {
  host = await startSandboxHost();
});
afterAll(() => host.end());

const MIB = 1024 * 1024;
/** A number of seconds that no other process on the machine sleeps. */
const mark = () => `${600 + Math.floor(Math.random() * 1e6) / 1e6}`;
const pathsOf = (session: string) => [...host.workspaceOf(session).entries.keys()].sort();

describe('a command in a sandbox', () => {
  it('prints while it runs, and reports how it ended', async () => {
    const exec = await host.begin(randomUUID(), 'echo one; read -t 30 < <(sleep 30); echo two');
    const first = await host.host.read({ exec, stdout: 0, stderr: 0, waitMs: 10_000 });
    expect(Buffer.from(first.stdout, 'base64').toString()).toBe('one\n');
    expect(first.exit).toBeUndefined();
    host.host.watch({ exec, watching: false });
    expect(await host.follow(exec)).toMatchObject({
      signal: 'SIGTERM',
      reason: 'the client disconnected',
      saved: true,
    });
    const other = await host.run(randomUUID(), 'echo out; echo err >&2; exit 3');
    expect(other).toMatchObject({ code: 3, stdout: 'out\n', stderr: 'err\n', timed_out: false, truncated: false });
  });

  it('leaves files, links, modes and empty folders to the next command, also in a new sandbox', async () => {
    const session = randomUUID();
    const make =
      'mkdir -p d/empty; echo text > d/a; printf "#!/bin/sh\\necho ran" > run; chmod +x run; ln -s d/a link; pwd';
    expect(await host.run(session, make)).toMatchObject({ code: 0, saved: true, stdout: '/workspace\n' });
    expect(pathsOf(session)).toEqual(['d/a', 'd/empty', 'link', 'run']);
    const look = './run; cat link; find . -mindepth 1 | sort';
    const seen = 'ran\ntext\n./d\n./d/a\n./d/empty\n./link\n./run\n';
    expect((await host.run(session, look)).stdout).toBe(seen);
    await host.host.release([session]);
    expect((await host.run(session, look)).stdout).toBe(seen);
    await host.run(session, 'rm -r d link; echo more >> run');
    expect(pathsOf(session)).toEqual(['run']);
    expect(await host.textOf(session, 'run')).toBe('#!/bin/sh\necho ranmore\n');
  });

  it('finds files that its user has written since the last command', async () => {
    const session = randomUUID();
    await host.run(session, 'echo old > a; echo b > b');
    await host.put(session, 'a', 'new');
    expect((await host.run(session, 'cat a b')).stdout).toBe('newb\n');
  });

  it('is killed if it ignores TERM at its timeout', async () => {
    const seconds = mark();
    const ended = await host.run(randomUUID(), `trap '' TERM; touch kept; while :; do sleep ${seconds}; done`, 500);
    expect(ended).toMatchObject({ timed_out: true, saved: true, signal: 'SIGKILL' });
    expect(findProcesses(seconds)).toEqual([]);
  });

  it('leaves no pipes or sockets, and does not change the process that runs the next command', async () => {
    const session = randomUUID();
    const bind = `perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); bind(S, sockaddr_un("s"))'`;
    const made = await host.run(
      session,
      `mkfifo p; mkdir -p d/e; mkfifo d/e/p; ${bind}; ls; nice > /workspace/nice; renice -n 19 -p 1 >/dev/null`,
    );
    expect(made).toMatchObject({ code: 0, stdout: 'd\np\ns\n', saved: true });
    expect(pathsOf(session)).toEqual(['d/e', 'nice']);
    expect(await host.run(session, 'nice | diff - nice && find . -mindepth 1 | sort')).toMatchObject({
      ...{ code: 0, stdout: './d\n./d/e\n./nice\n' },
    });
  });

  it('leaves no process behind, even detached', async () => {
    const seconds = mark();
    await host.run(randomUUID(), `setsid -f sleep ${seconds}; nohup sleep ${seconds} >/dev/null 2>&1 & echo`);
    expect(findProcesses(seconds)).toEqual([]);
  });

  it('is ended when no client reads its output', async () => {
    const exec = await host.begin(randomUUID(), 'sleep 60');
    const { now } = Date;
    try {
      Date.now = () => now() + 11_000;
      host.host.cleanUp();
    } finally {
      Date.now = now;
    }
    expect(await host.follow(exec)).toMatchObject({ reason: 'no client reads its output' });
  });

  it('returns the first 10 MiB of its output, and reports that it printed more', async () => {
    const ended = await host.run(randomUUID(), 'head -c 12000000 /dev/zero');
    expect(ended).toMatchObject({ code: 0, truncated: true });
    expect(ended.stdout.length).toBe(10 * MIB);
    expect(listStoredOutputSizes()).toContain(10 * MIB);
    expect(Math.max(...listStoredOutputSizes())).toBe(10 * MIB);
  });

  it('has no output if it replaces its output files, and leaves nothing of them', async () => {
    const before = listStoredOutputSizes().length;
    const exit = await host.run(
      randomUUID(),
      `cd /step; rm stdout stderr; mkdir stdout; touch stdout/a; ln -s /etc/passwd stderr`,
    );
    expect(exit).toMatchObject({ code: 0, stdout: '', stderr: '', truncated: false });
    expect(listStoredOutputSizes()).toHaveLength(before);
    host.host.cleanUp(Date.now() + 61_000);
    expect(listStoredOutputSizes()).toEqual([]);
  });

  it('leaves the workspace unchanged if it writes too large a file, or too much in total', async () => {
    const session = randomUUID();
    await host.run(session, 'echo before > a');
    expect(await host.run(session, 'head -c 70000000 /dev/zero > big')).toMatchObject({ code: 153 });
    expect((await host.run(session, 'truncate -s 65M hole; wc -c < hole; rm hole big; ls')).stdout).toBe('0\na\n');
    const many = await host.run(session, 'rm a; for i in $(seq 20); do truncate -s 60M $i; done');
    expect(many).toMatchObject({ code: 0, saved: false, reason: 'the workspace would hold more than 1 GiB' });
    expect((await host.run(session, 'ls; cat a')).stdout).toBe('a\nbefore\n');
    const files = await host.run(session, 'mkdir d; cd d; seq 10001 | xargs touch');
    expect(files).toMatchObject({ saved: false, reason: expect.stringContaining('10000 files') });
    expect((await host.run(session, 'ls')).stdout).toBe('a\n');
  });

  it('reports its exit and the limit if its names and links are too long together', async () => {
    const session = randomUUID();
    const reason = expect.stringContaining('8 MiB');
    expect(await host.run(session, `perl -e 'symlink "t" x 4000, $_ for 1..2200; exit 3'`)).toMatchObject({
      ...{ code: 3, saved: false, reason },
    });
    const escaped = `perl -e 'for (1..8000) { open my $f, ">", "\\x01" x 200 . $_ }'`;
    expect(await host.run(session, escaped)).toMatchObject({ code: 0, saved: false, reason });
    expect((await host.run(session, 'ls')).stdout).toBe('');
  });

  it('reports its exit and the failure if its changes cannot be stored, and the next command finds none of them', async () => {
    const session = randomUUID();
    host.refused.add(session);
    const reason = 'the files of the command could not be saved';
    expect(await host.run(session, 'touch a; exit 3')).toMatchObject({ code: 3, saved: false, reason });
    expect((await host.run(session, 'ls')).stdout).toBe('');
  });

  it('leaves the workspace unchanged if its changes exceed what its user may still store', async () => {
    const session = randomUUID();
    await host.run(session, 'echo before > a');
    host.mayStoreOf.set(session, 9);
    const reason = expect.stringContaining('20 GiB');
    expect(await host.run(session, 'echo much more > a')).toMatchObject({ code: 0, saved: false, reason });
    expect(await host.run(session, 'cat a; mv a b; echo less > c')).toMatchObject({ stdout: 'before\n', saved: false });
    host.mayStoreOf.set(session, 20);
    expect(await host.run(session, 'mv a b; echo less > c')).toMatchObject({ saved: true });
  });

  it('cannot make the worker store files from outside of the workspace', async () => {
    const session = randomUUID();
    await host.run(session, 'ln -s /etc/passwd p; ln -s / root; ln -s .. up; mkfifo pipe; mkdir d; chmod 0 d');
    const { entries } = host.workspaceOf(session);
    expect([...entries].map(([path, { kind, target }]) => [path, kind, target]).sort()).toEqual([
      ['d', 'folder', null],
      ['p', 'link', '/etc/passwd'],
      ['root', 'link', '/'],
      ['up', 'link', '..'],
    ]);
    expect(await host.run(session, 'chmod 0 . d; echo done')).toMatchObject({ code: 0, stdout: 'done\n' });
    expect(await host.run(session, 'ls | wc -l')).toMatchObject({ code: 0, stdout: '4\n' });
    await host.host.release([session]);
    expect(await host.run(session, 'rm p; mkdir p; echo x > p/y')).toMatchObject({ saved: true });
    expect(await host.textOf(session, 'p/y')).toBe('x\n');
  });
});

describe('inside a sandbox', () => {
  it('a command sees nothing of the machine, the worker or another session', async () => {
    const [mine, other] = [randomUUID(), randomUUID()];
    await host.run(other, 'echo hidden-text > hidden-file');
    const exec = await host.begin(other, 'sleep 20 & echo $$; wait');
    const look = `
      tr '\\0' ' ' < /proc/[0-9]*/cmdline | grep -a 'sleep 20'
      ls /proc | grep -c '^[0-9]'
      cat /proc/1/environ /proc/1/maps 2>/dev/null | head -c 100
      readlink /proc/1/fd/* /proc/1/root /proc/1/cwd
      for fd in /proc/1/fd/*; do (echo forged > $fd) 2>/dev/null && echo wrote to $fd; done
      grep -rl hidden-text / --include=hidden-file 2>/dev/null
      find / -path /proc -prune -o -name '*.sock' -print -o -type s -print 2>/dev/null
      ls ${host.worker.folder} ${process.cwd()} 2>/dev/null
      env | cut -d= -f1 | sort | tr '\\n' ' '`;
    const seen = (await host.run(mine, look)).stdout.split('\n');
    // Process 1, the shell, and the programs of the pipeline.
    expect(Number(seen[0])).toBeLessThanOrEqual(5);
    expect(seen.slice(1).join('\n')).toBe('HOME LC_CTYPE PATH PWD SHLVL TMPDIR USER _ ');
    host.host.watch({ exec, watching: false });
    await host.follow(exec);
  });

  it('a command reaches no service, by address or by socket', async () => {
    const addresses = ['127.0.0.1/5432', '127.0.0.1/6379', '127.0.0.1/4222', '127.0.0.1/8080', '1.1.1.1/53'];
    const command = addresses.map((at) => `(: > /dev/tcp/${at}) 2>/dev/null && echo reached ${at}`).join('; ');
    const { stdout } = await host.run(
      randomUUID(),
      `${command}; ip -o link 2>/dev/null || cat /proc/net/dev | grep -c :`,
    );
    expect(stdout).not.toContain('reached');
    // Only its own loopback interface.
    expect(stdout.trim().split('\n')).toHaveLength(1);
  });

  it('a command can neither make nor read keys of the kernel, which all sandboxes of one user would share', async () => {
    const call = process.arch === 'x64' ? { add: 248, request: 249, key: 250 } : { add: 217, request: 218, key: 219 };
    const perl = (code: string) =>
      `perl -e 'my ($t, $n, $x, $b) = ("user", "name-of-key", "text-of-key", "." x 64); ${code}'`;
    const made = `for (-3, -4, -5) { print "made\\n" if syscall(${call.add}, $t, $n, $x, 11, $_) > 0 } print "tried\\n"`;
    const exec = await host.begin(randomUUID(), perl(`$| = 1; ${made}; sleep 20`));
    const first = await host.host.read({ exec, stdout: 0, stderr: 0, waitMs: 10_000 });
    const steal = `open(my $k, "<", "/proc/keys"); my @ids = map { hex((split)[0]) } <$k>;
      syscall(${call.key}, 8, $_, -2) for @ids; for (@ids) { print $b if syscall(${call.key}, 11, $_, $b, 64) == 11 }
      print "requested" if syscall(${call.request}, $t, $n, 0, -2) > 0`;
    expect((await host.run(randomUUID(), perl(steal))).stdout).toBe('');
    expect(Buffer.from(first.stdout, 'base64').toString()).toBe('tried\n');
    host.host.watch({ exec, watching: false });
  });

  it('a command cannot signal, trace, mount or write anything outside', async () => {
    const { stdout, stderr } = await host.run(
      randomUUID(),
      `kill -9 -1 2>/dev/null; kill -9 1 2>&1 || echo no-kill; mount -t tmpfs x /mnt 2>/dev/null && echo mounted
       unshare -U true 2>/dev/null && echo namespace; echo x > /proc/sys/kernel/hostname && echo wrote
       touch /usr/x /etc/x /opt/millrace/x 2>/dev/null && echo wrote; grep -c . /proc/self/uid_map; id -u`,
    );
    expect(stdout).not.toMatch(/mounted|namespace|wrote/);
    expect(stdout.trim().split('\n').at(-1)).toBe('65534');
    expect(stderr).toContain('hostname');
    expect(await host.run(randomUUID(), 'echo alive')).toMatchObject({ stdout: 'alive\n' });
  });
});

describe('sandboxes of sessions', () => {
  it('run concurrently, with one command at a time for each session', async () => {
    const [a, b] = [randomUUID(), randomUUID()];
    const slow = await host.begin(a, 'echo a > who; sleep 20; echo never');
    expect(await host.run(b, 'cat who; echo b > who; cat who')).toMatchObject({ stdout: 'b\n' });
    await expect(host.begin(a, 'echo')).rejects.toThrow('no room');
    host.host.watch({ exec: slow, watching: false });
    expect((await host.follow(slow)).stdout).toBe('');
    expect((await host.run(a, 'cat who')).stdout).toBe('a\n');
  });

  it('end their commands when they are released, and leave nothing on the disk', async () => {
    const [session, seconds] = [randomUUID(), mark()];
    const exec = await host.begin(session, `echo up; setsid -f sleep ${seconds}; sleep ${seconds}`);
    await host.host.read({ exec, stdout: 0, stderr: 0, waitMs: 10_000 });
    await host.host.release(host.host.sessions);
    expect(await waitUntilEnded(3_000, seconds)).toEqual([]);
    const left = readdirSync(join(host.worker.core.folder, 'sandboxes'));
    expect(left.filter((name) => name.startsWith('sandbox-'))).toEqual([]);
  });

  it('are replaced, the least recently used first, and started again with their files', async () => {
    const small = await startSandboxHost(2);
    try {
      const sessions = [randomUUID(), randomUUID(), randomUUID()] as const;
      for (const session of sessions) {
        await small.run(session, `echo ${session} > me`);
        await sleep(5);
      }
      expect(small.host.sessions).toEqual(sessions.slice(1));
      for (const session of sessions) expect((await small.run(session, 'cat me')).stdout).toBe(`${session}\n`);
      const busy = await Promise.all(sessions.slice(0, 2).map((session) => small.begin(session, 'sleep 20')));
      await expect(small.begin(sessions[2], 'echo')).rejects.toThrow('no room');
      for (const exec of busy) small.host.watch({ exec, watching: false });
    } finally {
      await small.end();
    }
  });

  it('are created again if bubblewrap is killed, without the changes of the command', async () => {
    const session = randomUUID();
    await host.run(session, 'echo kept > a');
    const seconds = mark();
    const exec = await host.begin(session, `echo lost > b; echo up; sleep ${seconds}`);
    await host.host.read({ exec, stdout: 0, stderr: 0, waitMs: 10_000 });
    for (const id of sandboxesAbove(seconds)) process.kill(id, 'SIGKILL');
    expect(await host.follow(exec)).toMatchObject({ saved: false, reason: expect.stringContaining('sandbox ended') });
    expect(await waitUntilEnded(3_000, seconds)).toEqual([]);
    expect((await host.run(session, 'ls; cat a')).stdout).toBe('a\nkept\n');
  });
});

/** Sizes of the stored outputs of ended commands. */
function listStoredOutputSizes(): number[] {
  const folder = join(host.worker.core.folder, 'sandboxes/ended');
  return readdirSync(folder).map((name) => lstatSync(join(folder, name)).size);
}

/** Bubblewrap processes above the process that sleeps for so many seconds. */
function sandboxesAbove(seconds: string): number[] {
  const parentOf = (id: number) => Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]);
  const found: number[] = [];
  for (let id = Number(findProcesses(seconds)[0]); id > 1; id = parentOf(id)) {
    if (readFileSync(`/proc/${id}/comm`, 'utf8') === 'bwrap\n') found.push(id);
  }
  return found;
}
