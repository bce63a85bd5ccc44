import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { ROOT } from '../scripts/lib/layout.mjs';
import { SERVICES } from '../scripts/lib/services.mjs';

const read = (/** @type {string} */ path) => readFileSync(join(ROOT, path), 'utf8');

describe('the seccomp profile of the worker', () => {
  /** @type {{ defaultAction: string, syscalls: { names: string[], action: string }[] }} */
  const profile = JSON.parse(read('deploy/compose/worker-seccomp.json'));
  const forbidden = profile.syscalls.flatMap(({ names }) => names);

  it('forbids what CAP_SYS_ADMIN would permit and no worker needs', () => {
    expect(profile.syscalls.map(({ action }) => action)).toEqual(['SCMP_ACT_ERRNO']);
    expect(forbidden).toEqual(
      expect.arrayContaining(['bpf', 'perf_event_open', 'quotactl', 'swapon', 'open_by_handle_at']),
    );
  });

  it('allows what bubblewrap and the worker call', () => {
    const needed = ['clone', 'clone3', 'unshare', 'setns', 'mount', 'umount2', 'pivot_root', 'seccomp', 'sethostname'];
    expect(profile.defaultAction).toBe('SCMP_ACT_ALLOW');
    expect(needed.filter((name) => forbidden.includes(name))).toEqual([]);
  });
});

describe('worker-not-root.yml', () => {
  const reset = { tag: '!reset', collection: /** @type {const} */ ('seq'), resolve: () => 'nothing' };
  const override = parse(read('deploy/compose/worker-not-root.yml'), { customTags: [reset] });

  it('takes root and every capability from the worker, and changes nothing else', () => {
    expect(override).toEqual({
      services: {
        worker: { user: '1000:1000', cap_add: 'nothing', security_opt: ['systempaths=unconfined'] },
      },
    });
  });
});

describe('the profile', () => {
  it('metrics finds every service on its health port', () => {
    const [job] = parse(read('deploy/observability/prometheus.yml')).scrape_configs;
    expect(job.dns_sd_configs[0]).toMatchObject({ names: SERVICES, type: 'A', port: 8081 });
  });

  it('proxy sends requests to all copies of the gateway', () => {
    expect(read('deploy/compose/Caddyfile')).toMatch(/dynamic a \{\s+name gateway\s+port 8080\s/);
  });
});
