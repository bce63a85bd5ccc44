import { describe, expect, it } from '@jest/globals';
import { locateCgroups } from './locate-cgroups.js';

describe('locateCgroups finds the control groups of this process', () => {
  it('in version 1, by the mount of each controller', () => {
    const mounts = `35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
37 31 0:34 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct
39 31 0:36 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw`;
    expect(locateCgroups(mounts, '8:pids:/\n4:memory:/api/1\n2:cpu,cpuacct:/own\n0::/')).toEqual({
      version: 1,
      memory: '/sys/fs/cgroup/memory/api/1',
      pids: '/sys/fs/cgroup/pids',
      cpu: '/sys/fs/cgroup/cpu,cpuacct/own',
    });
  });

  it('in version 2, in one folder for all controllers', () => {
    const mounts = '30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate';
    const own = '/sys/fs/cgroup/user.slice/app.service';
    expect(locateCgroups(mounts, '0::/user.slice/app.service\n')).toEqual({
      version: 2,
      memory: own,
      pids: own,
      cpu: own,
    });
  });

  it('in version 2, beside the group that a container moved its worker to', () => {
    const mounts = '30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup rw,nsdelegate';
    expect(locateCgroups(mounts, '0::/millrace-worker\n')?.memory).toBe('/sys/fs/cgroup');
  });

  it('in a container whose mount shows only its own group', () => {
    const mounts = '700 690 0:32 /docker/abc /sys/fs/cgroup/memory ro - cgroup memory rw,memory';
    expect(locateCgroups(mounts, '4:memory:/docker/abc')).toEqual({
      version: 1,
      memory: '/sys/fs/cgroup/memory',
      pids: null,
      cpu: null,
    });
  });

  it('and returns null if there are none', () => {
    expect(locateCgroups('', '')).toBeNull();
  });
});
