import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { listDescendants, parseStat, readMemoryMib, readProcesses } from './read-processes.mjs';

describe('the times of processes', () => {
  it('are read from a stat file whose name has spaces and parentheses', () => {
    const stat = '12 (a (b) c) S 7 12 12 0 -1 4194560 1 0 0 0 150 50 25 5 20 0 1 0 100 0 0';
    expect(parseStat(stat)).toEqual({ pid: 12, parent: 7, ownMs: 2_000, endedMs: 300 });
  });

  it('contain children of children, and memory of running processes only', async () => {
    const child = spawn('sh', ['-c', 'sleep 60 & echo ready; wait'], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(child.stdout, 'data');
    const pid = child.pid ?? NaN;
    try {
      const processes = readProcesses();
      const [sleeping] = listDescendants(processes, pid);
      expect(sleeping?.parent).toBe(pid);
      expect(listDescendants(processes, process.pid).map((one) => one.pid)).toEqual(
        expect.arrayContaining([pid, sleeping?.pid]),
      );
      expect(readMemoryMib(process.pid)).toBeGreaterThan(10);
    } finally {
      for (const { pid: grandchild } of listDescendants(readProcesses(), pid)) process.kill(grandchild);
      child.kill();
      await once(child, 'exit');
    }
    expect(readProcesses().has(pid)).toBe(false);
    expect(readMemoryMib(pid)).toBe(0);
  });
});
