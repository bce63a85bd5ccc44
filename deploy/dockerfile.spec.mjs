import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { MALLOC_ENV, NODE_ARGS } from '../scripts/lib/apps/app-specs.mjs';
import { ROOT } from '../scripts/lib/layout.mjs';
import { MODULE_TOOLS, workerPackages } from '../scripts/lib/machine/choose-packages.mjs';
import { ROLES } from './images/roles.mjs';

const text = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8');
/** The instructions of each stage, by its name; those before the first stage have the name "". */
const stages = new Map(
  text
    .split(/^(?=FROM )/m)
    .map((stage) => [/^FROM \S+ AS (\S+)/.exec(stage)?.[1] ?? '', stage.replaceAll('\\\n', ' ')]),
);
const roles = Object.keys(ROLES);
const instructionOf = (/** @type {string} */ role, /** @type {string} */ name) =>
  new RegExp(`^${name} (.*)$`, 'm').exec(stages.get(role) ?? '')?.[1];

describe('the Dockerfile', () => {
  it('has a target for every role, and builds what each contains', () => {
    expect([...stages.keys()]).toEqual(expect.arrayContaining(roles));
    const assembled = /for role in ([a-z ]+);/.exec(text)?.[1]?.split(' ');
    expect(assembled?.sort()).toEqual(roles.toSorted());
  });

  it.each(roles)('runs %s as a user that is not root, from a list of components, with labels', (role) => {
    expect(instructionOf(role, 'USER')).toBe('1000:1000');
    expect(stages.get(role)).toContain(`RUN node deploy/images/write-sbom.mjs ${role}\n`);
    const labels = [...(stages.get(role) ?? '').matchAll(/org\.opencontainers\.image\.(\w+)=/g)].map(
      (match) => match[1],
    );
    expect(labels.sort()).toEqual(['licenses', 'revision', 'source', 'title', 'version']);
  });

  it('checks the health of every role that keeps running', () => {
    const checked = roles.filter((role) => instructionOf(role, 'HEALTHCHECK')?.includes('check-health.mjs'));
    expect(checked).toEqual(['gateway', 'service', 'worker']);
  });

  it('starts services with the options of `npm run up`, as the chart does', () => {
    // In a container, the heap grows with its limit of memory.
    const options = NODE_ARGS.filter((option) => !option.startsWith('--max-old-space-size'));
    expect(JSON.parse(instructionOf('base', 'ENTRYPOINT') ?? '')).toEqual([
      ...['node', ...options],
      '/app/deploy/start-app.mjs',
    ]);
    const pods = readFileSync(join(ROOT, 'deploy/helm/millrace/templates/_pods.tpl'), 'utf8');
    expect(pods).toContain(`command: [node, ${options.join(', ')}, deploy/start-app.mjs]`);
    for (const [name, value] of Object.entries(MALLOC_ENV)) expect(stages.get('base')).toContain(`${name}=${value}`);
  });

  it('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(/^ARG VERSION=(.*)$/m.exec(text)?.[1]).toBe(version);
  });

  it('installs in the worker what sandboxes and the library need, from one list', () => {
    expect(stages.get('worker')).toContain(
      'xargs apt-get install -y --no-install-recommends busybox-static < /worker-packages',
    );
    const needed = MODULE_TOOLS.flatMap(({ packages }) => packages.apt.split(' '));
    expect(workerPackages()).toEqual(expect.arrayContaining(['bubblewrap', 'perl-base', 'mount', ...needed]));
    const others = roles.filter((role) => role !== 'worker' && stages.get(role)?.includes('apt-get'));
    expect(others).toEqual([]);
  });

  it('does not see the settings and data of an installation in the same folder', () => {
    const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.env*', '.millrace', '.git', 'docker-compose*.yml']));
  });

  it('sets no secret', () => {
    const names = [...text.matchAll(/\b([A-Z][A-Z_]+)=/g)].map((match) => match[1] ?? '');
    expect(names.filter((name) => /SECRET|PASSWORD|TOKEN|KEY|_URL$/.test(name))).toEqual([]);
  });
});
