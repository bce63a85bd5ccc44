import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ContainerGroup, readStats } from './container-usage.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'millrace-groups-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function save(folder: string, files: Record<string, string>): void {
  mkdirSync(join(root, folder), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(root, folder, name), content);
}

describe('the control group of a container', () => {
  it('is read in version 2, with both drivers', () => {
    const files = {
      'cpu.stat': 'usage_usec 1500000\nuser_usec 1\n',
      'memory.stat': 'file 9\nanon 4096\n',
      'cgroup.procs': '12\n0\n34\n',
    };
    save('system.slice/docker-a.scope', files);
    save('docker/b', files);
    for (const group of ['a', 'b'].map((id) => new ContainerGroup(id, root)))
      expect([group.read(), group.processes()]).toEqual([{ cpuMs: 1500, residentBytes: 4096 }, [12, 34]]);
  });

  it('is read in version 1', () => {
    save('cpuacct/docker/a', { 'cpuacct.usage': '1500000000\n', 'cgroup.procs': '12\n' });
    save('memory/docker/a', { 'memory.stat': 'rss 1\ntotal_rss 4096\n' });
    const group = new ContainerGroup('a', root);
    expect([group.read(), group.processes()]).toEqual([{ cpuMs: 1500, residentBytes: 4096 }, [12]]);
  });

  it('is null and empty where it is not visible', () => {
    const group = new ContainerGroup('a', root);
    expect([group.read(), group.processes()]).toEqual([null, []]);
  });
});

it('the statistics of the daemon are read if the container runs', () => {
  const stats = { cpu_stats: { cpu_usage: { total_usage: 2_000_000 } }, memory_stats: { stats: { anon: 4096 } } };
  expect(readStats(stats)).toEqual({ cpuMs: 2, residentBytes: 4096 });
  expect(readStats({ cpu_stats: { cpu_usage: { total_usage: 0 } } })).toBeNull();
  expect(readStats(null)).toBeNull();
});
