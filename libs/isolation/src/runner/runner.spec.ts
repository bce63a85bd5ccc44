import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { RUNNER_PATH } from './runner-process.js';

const runPerl = (...args: string[]) => spawnSync('perl', args, { encoding: 'utf8', input: '', timeout: 20_000 });

describe('runner.pl', () => {
  it('compiles without a warning', () => {
    expect(runPerl('-cw', RUNNER_PATH)).toMatchObject({ status: 0, stderr: `${RUNNER_PATH} syntax OK\n` });
  });

  it('loads no module but strict and warnings, which keeps its start short', () => {
    const used = readFileSync(RUNNER_PATH, 'utf8').match(/^\s*(?:use|require)\s.*$/gm);
    expect(used).toEqual(['use strict;', 'use warnings;']);
  });

  it('starts no sandbox without a seccomp program', () => {
    const { status, stderr } = runPerl(RUNNER_PATH, 'sandbox', process.arch);
    expect(status).not.toBe(0);
    expect(stderr).toBe('runner.pl sandbox needs the argument seccomp:<program as hex>\n');
  });

  it('refuses a seccomp program that is not a whole number of instructions', () => {
    const { status, stderr } = runPerl(RUNNER_PATH, 'sandbox', process.arch, 'seccomp:0600000000');
    expect(status).not.toBe(0);
    expect(stderr).toBe('runner.pl does not support the argument seccomp:0600000000\n');
  });

  it('refuses an architecture whose system calls it does not support', () => {
    const { stderr } = runPerl(RUNNER_PATH, 'unsandboxed', 's390x');
    expect(stderr).toBe('runner.pl does not support the system calls of s390x\n');
  });
});
