import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { ROOT } from '../layout.mjs';
import { findManager, installAdvice, missingTools, MODULE_TOOLS, packagesFor } from './choose-packages.mjs';

const nothing = () => undefined;
const only =
  (/** @type {string[]} */ ...names) =>
  (/** @type {string} */ name) =>
    names.includes(name) ? `/usr/bin/${name}` : undefined;
const SERVERS = ['redis-server', 'nats-server', 'bwrap', 'perl'];
const OF_MODULES = ['curl', 'dig', 'git', 'jq', 'nmap', 'openssl', 'python3', 'xmllint'];
const commands = (/** @type {import('./choose-packages.mjs').Tool[]} */ tools) => tools.map(({ command }) => command);

describe('missingTools', () => {
  it('names all of them on a bare Linux', () => {
    expect(commands(missingTools({}, 'linux', nothing))).toEqual([...SERVERS, ...OF_MODULES]);
  });

  it('requires none of those that library modules run', () => {
    expect(missingTools({}, 'linux', only(...SERVERS)).filter(({ required }) => required)).toEqual([]);
  });

  it('looks for those that steps run where steps look', () => {
    const find = (/** @type {string} */ name, path = '/home/ann/bin') => (path === '' ? undefined : `${path}/${name}`);
    expect(commands(missingTools({}, 'linux', find))).toEqual(OF_MODULES);
  });

  it('needs no server whose address is given', () => {
    const env = { REDIS_URL: 'redis://there', NATS_URL: 'nats://there' };
    expect(commands(missingTools(env, 'linux', only('perl', ...OF_MODULES)))).toEqual(['bwrap']);
  });

  it('names nothing that is there', () => {
    expect(missingTools({}, 'linux', only(...SERVERS, ...OF_MODULES))).toEqual([]);
  });

  it('asks for bubblewrap on Linux only, and never requires it', () => {
    expect(commands(missingTools({}, 'darwin', only(...OF_MODULES)))).toEqual(['redis-server', 'nats-server']);
    const [bubblewrap] = missingTools({}, 'linux', only('redis-server', 'nats-server', 'perl', ...OF_MODULES));
    expect(bubblewrap?.required).toBe(false);
  });
});

describe('findManager', () => {
  it.each([
    ['apt-get', 'apt', 'sudo apt-get update && sudo apt-get install redis-server nats-server bubblewrap perl-base'],
    ['dnf', 'dnf', 'sudo dnf install redis nats-server bubblewrap perl-interpreter'],
    ['apk', 'apk', 'sudo apk add redis nats-server bubblewrap perl'],
  ])('uses %s and says what a person would type', (command, name, advice) => {
    const manager = findManager(only(command));
    expect(manager?.name).toBe(name);
    expect(installAdvice(manager, missingTools({}, 'linux', only(...OF_MODULES))).trim()).toBe(advice);
  });

  it('says what to get where there is no manager', () => {
    expect(findManager(nothing)).toBeUndefined();
    expect(installAdvice(undefined, missingTools({}, 'linux', nothing))).toContain(
      'nats-server: messages between the services',
    );
  });
});

describe('packagesFor', () => {
  it('gives brew what macOS lacks', () => {
    const brew = /** @type {import('./choose-packages.mjs').Manager} */ (findManager(only('brew')));
    expect(packagesFor(brew, missingTools({}, 'darwin', only(...OF_MODULES)))).toEqual(['redis', 'nats-server']);
  });

  it('names a package once', () => {
    const apt = /** @type {import('./choose-packages.mjs').Manager} */ (findManager(only('apt-get')));
    expect(packagesFor(apt, MODULE_TOOLS).filter((name) => name === 'ca-certificates')).toHaveLength(1);
  });
});

describe('MODULE_TOOLS', () => {
  /** Every Debian has these: they are essential or of the priority required. */
  const ALWAYS = ['coreutils', 'diffutils', 'gzip', 'mawk', 'tar'];
  const folder = join(ROOT, 'libs/library/modules');
  const modules = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.yaml'))
    .map((path) => parse(readFileSync(join(folder, path), 'utf8')));
  const packages = MODULE_TOOLS.map((tool) => ({ ...tool, apt: tool.packages.apt.split(' ') }));

  it('bring every package that a built-in module names', () => {
    const known = new Set([...ALWAYS, ...packages.flatMap(({ apt }) => apt)]);
    const named = modules.flatMap(({ name, packages: its }) =>
      (its?.apt ?? []).map((/** @type {string} */ one) => [name, one]),
    );
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter(([, one]) => !known.has(one))).toEqual([]);
  });

  it.each(packages.filter(({ command }) => command !== 'python3'))(
    'say which modules need $command',
    ({ apt, purpose }) => {
      const users = modules.filter(({ packages: its }) => its?.apt.includes(apt[0])).map(({ name }) => name);
      expect(
        purpose
          .replace(/^modules? /, '')
          .split(/, | and /)
          .sort(),
      ).toEqual(users.sort());
    },
  );
});
