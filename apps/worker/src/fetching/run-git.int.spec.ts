import { tmpdir } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { GitError, runGit } from './run-git.js';

const folder = tmpdir();
const { signal } = new AbortController();

describe('git', () => {
  it('is named with its package if it is not installed', async () => {
    const running = runGit(['--version'], { folder, env: { PATH: '/nonexistent' }, signal });
    await expect(running).rejects.toThrow('git is not installed on this worker (apt-get install git)');
  });

  it('rejects with its standard error if it fails', async () => {
    await expect(runGit(['no-such-command'], { folder, env: {}, signal })).rejects.toBeInstanceOf(GitError);
  });

  it('does not inherit the environment of the worker', async () => {
    let output = '';
    const onOutput = (chunk: string) => (output += chunk);
    await runGit(['-c', 'alias.printenv=!env', 'printenv'], { folder, env: { OWN: 'x' }, signal, onOutput });
    expect(output).toContain('OWN=x');
    expect(output).not.toMatch(/^(DATABASE_URL|NATS_URL|HOME)=/m);
  });

  it('has no capabilities, even if the worker runs as root', async () => {
    let status = '';
    const onOutput = (chunk: string) => (status += chunk);
    await runGit(['-c', 'alias.look=!cat /proc/self/status', 'look'], { folder, env: {}, signal, onOutput });
    expect(status).toMatch(/^CapEff:\s+0{16}$/m);
    expect(status).toMatch(/^CapPrm:\s+0{16}$/m);
  });

  it('is killed with all processes that it started', async () => {
    const stop = new AbortController();
    const onOutput = () => stop.abort(new Error('enough'));
    const args = ['-c', 'alias.wait=!echo begun; sleep 60', 'wait'];
    await expect(runGit(args, { folder, env: {}, signal: stop.signal, onOutput })).rejects.toThrow('enough');
  });
});
