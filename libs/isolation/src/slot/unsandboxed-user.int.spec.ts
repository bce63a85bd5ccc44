import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestSlot, canHaveUserPerSlot, openSlot } from '../testing/open-slot.js';

/** Otherwise a command has the user of this process, which can do all of this. */
const HAS_OWN_USER = canHaveUserPerSlot();

let one: TestSlot;
let other: TestSlot;
let folder: string;
beforeEach(async () => {
  [one, other] = [await openSlot('off', { processes: 40 }), await openSlot('off')];
  folder = mkdtempSync(join(tmpdir(), 'millrace-secrets-'));
});
afterEach(async () => {
  await Promise.all([one.end(), other.end()]);
  rmSync(folder, { recursive: true, force: true });
});

describe('a command without a sandbox, of a worker that is root', () => {
  it('has the user of its slot, in no group, and cannot become another one', async () => {
    expect((await one.sh('id -u; id -G')).stdout).toBe(
      HAS_OWN_USER
        ? `${one.slot.uid}\n${one.slot.uid}\n`
        : execFileSync('sh', ['-c', 'id -u; id -G'], { encoding: 'utf8' }),
    );
    expect((await one.sh('grep -E "^(NoNewPrivs|CapEff):" /proc/self/status')).stdout.replace(/\s+/g, ' ')).toMatch(
      HAS_OWN_USER ? 'CapEff: 0000000000000000 NoNewPrivs: 1' : /CapEff: \w+ NoNewPrivs: \d/,
    );
    expect(one.slot.uid === other.slot.uid).toBe(!HAS_OWN_USER);
  });

  it('cannot read secrets, the environment of the worker, or files of other slots', async () => {
    const secrets = join(folder, 'env.json');
    writeFileSync(secrets, 'not for steps', { mode: 0o600 });
    await other.sh('echo theirs > out/file; echo theirs > $HOME/file; echo theirs');
    const theirs = [
      join(other.slot.folders.output, 'file'),
      join(other.slot.home, 'file'),
      join(other.slot.folders.step, 'stdout'),
    ];
    expect(theirs.every((path) => existsSync(path))).toBe(true);
    const paths = [secrets, `/proc/${process.pid}/environ`, ...theirs].join(' ');
    const { stdout } = await one.sh(
      `for f in ${paths}; do head -c 1 $f > /dev/null 2>&1 && echo "read $f"; done; echo done`,
    );
    expect(stdout === 'done\n').toBe(HAS_OWN_USER);
  });

  it('does not inherit the environment of the worker', async () => {
    const { stdout } = await one.sh('env');
    expect(stdout.split('\n').filter((line) => line && !/^(PATH|HOME|PWD|SHLVL|_)=/.test(line))).toEqual([]);
  });

  it('cannot print to a file that it may not write, even if it replaces its log by a link', async () => {
    const target = join(folder, 'target');
    writeFileSync(target, 'not for steps');
    const { step } = one.slot.folders;
    await one.sh(`rm ${step}/stdout; ln -s ${target} ${step}/stdout`);
    expect(lstatSync(join(step, 'stdout')).isSymbolicLink()).toBe(true);
    const exit = await one.slot.run({ argv: ['/bin/echo', 'mine'], env: {} });
    expect(exit.code).toBe(HAS_OWN_USER ? 126 : 0);
    expect(readFileSync(target, 'utf8')).toBe(HAS_OWN_USER ? 'not for steps' : 'mine\n');
    await one.slot.clear();
    expect((await one.sh('echo again')).stdout).toBe('again\n');
  });

  it('owns its files, and cannot start more processes than its limit', async () => {
    await one.sh('mkdir out/d; : > out/d/x');
    expect(statSync(join(one.slot.folders.output, 'd/x')).uid).toBe(one.slot.uid ?? process.getuid?.());
    const { stderr } = await one.sh('for i in $(seq 100); do sleep 5 & done; kill $(jobs -p); wait');
    expect(stderr.includes('fork: retry')).toBe(HAS_OWN_USER);
  });
});
