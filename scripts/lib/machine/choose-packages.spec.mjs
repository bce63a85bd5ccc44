import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { ROOT } from '../layout.mjs';
import { findManager, installAdvice, missingTools, MODULE_TOOLS, packagesFor } from './choose-packages.mjs';

const findNothing = () => undefined;
const findOnly =
  (/** @type {string[]} */ ...names) =>
  (/** @type {string} */ name) =>
    names.includes(name) ? `/usr/bin/${name}` : undefined;
const SERVERS = ['redis-server', 'nats-server', 'bwrap', 'perl'];
const MODULE_COMMANDS = ['curl', 'dig', 'git', 'jq', 'nmap', 'openssl', 'python3', 'xmllint'];
const commands = (/** @type {import('./choose-packages.mjs').Tool[]} */ tools) => tools.map(({ command }) => command);

describe('missingTools', () => {
  it('returns all tools on a bare Linux', () => {
    expect(commands(missingTools({}, 'linux', findNothing))).toEqual([...SERVERS, ...MODULE_COMMANDS]);
  });

  it('requires no tool of library modules', () => {
    expect(missingTools({}, 'linux', findOnly(...SERVERS)).filter(({ required }) => required)).toEqual([]);
  });

  it('searches for tools of steps only in the folders that steps search', () => {
    const find = (/** @type {string} */ name, path = '/home/ann/bin') => (path === '' ? undefined : `${path}/${name}`);
    expect(commands(missingTools({}, 'linux', find))).toEqual(MODULE_COMMANDS);
  });

  it('omits servers whose address is set', () => {
    const env = { REDIS_URL: 'redis://there', NATS_URL: 'nats://there' };
    expect(commands(missingTools(env, 'linux', findOnly('perl', ...MODULE_COMMANDS)))).toEqual(['bwrap']);
  });

  it('returns no installed tool', () => {
    expect(missingTools({}, 'linux', findOnly(...SERVERS, ...MODULE_COMMANDS))).toEqual([]);
  });

  it('includes Chromium only if tests of the dashboard run', () => {
    const others = [...SERVERS, ...MODULE_COMMANDS];
    expect(commands(missingTools({}, 'linux', findOnly(...others), { browser: true }))).toEqual(['chromium']);
    expect(missingTools({}, 'linux', findOnly(...others))).toEqual([]);
  });

  it('includes the tool for network namespaces only for tests on Linux', () => {
    const find = findOnly(...SERVERS, ...MODULE_COMMANDS);
    expect(commands(missingTools({}, 'linux', find, { network: true }))).toEqual(['ip']);
    expect(missingTools({}, 'darwin', find, { network: true })).toEqual([]);
    expect(missingTools({}, 'linux', find)).toEqual([]);
  });

  it('accepts any executable of Chromium, and the one that CHROMIUM_PATH names', () => {
    const others = [...SERVERS, ...MODULE_COMMANDS];
    expect(missingTools({}, 'linux', findOnly(...others, 'google-chrome'), { browser: true })).toEqual([]);
    expect(missingTools({ CHROMIUM_PATH: '/opt/c' }, 'linux', findOnly(...others), { browser: true })).toEqual([]);
  });

  it('includes bubblewrap on Linux only, and never requires it', () => {
    expect(commands(missingTools({}, 'darwin', findOnly(...MODULE_COMMANDS)))).toEqual(['redis-server', 'nats-server']);
    const [bubblewrap] = missingTools({}, 'linux', findOnly('redis-server', 'nats-server', 'perl', ...MODULE_COMMANDS));
    expect(bubblewrap?.required).toBe(false);
  });
});

describe('findManager', () => {
  it.each([
    ['apt-get', 'apt', 'sudo apt-get update && sudo apt-get install redis-server nats-server bubblewrap perl-base'],
    ['dnf', 'dnf', 'sudo dnf install redis nats-server bubblewrap perl-interpreter'],
    ['apk', 'apk', 'sudo apk add redis nats-server bubblewrap perl'],
  ])('uses %s and shows the command that installs the tools', (command, name, advice) => {
    const manager = findManager(findOnly(command));
    expect(manager?.name).toBe(name);
    expect(installAdvice(manager, missingTools({}, 'linux', findOnly(...MODULE_COMMANDS))).trim()).toBe(advice);
  });

  it('lists the tools if there is no package manager', () => {
    expect(findManager(findNothing)).toBeUndefined();
    expect(installAdvice(undefined, missingTools({}, 'linux', findNothing))).toContain(
      'nats-server: messages between the services',
    );
  });
});

describe('packagesFor', () => {
  it('returns the Homebrew packages that macOS needs', () => {
    const brew = /** @type {import('./choose-packages.mjs').Manager} */ (findManager(findOnly('brew')));
    expect(packagesFor(brew, missingTools({}, 'darwin', findOnly(...MODULE_COMMANDS)))).toEqual([
      'redis',
      'nats-server',
    ]);
  });

  it.each([
    ['apt-get', 'chromium fonts-liberation'],
    ['dnf', 'chromium'],
    ['apk', 'chromium font-liberation'],
    ['brew', 'google-chrome'],
  ])('returns the packages of the browser for %s', (command, names) => {
    const manager = /** @type {import('./choose-packages.mjs').Manager} */ (findManager(findOnly(command)));
    const others = findOnly('redis-server', 'nats-server', ...MODULE_COMMANDS);
    expect(packagesFor(manager, missingTools({}, 'darwin', others, { browser: true }))).toEqual(names.split(' '));
  });

  it('returns each package once', () => {
    const apt = /** @type {import('./choose-packages.mjs').Manager} */ (findManager(findOnly('apt-get')));
    expect(packagesFor(apt, MODULE_TOOLS).filter((name) => name === 'ca-certificates')).toHaveLength(1);
  });
});

describe('MODULE_TOOLS', () => {
  /** Every Debian system has these: they are essential or have the priority "required". */
  const ALWAYS = ['coreutils', 'diffutils', 'gzip', 'mawk', 'tar'];
  const folder = join(ROOT, 'libs/library/modules');
  const modules = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.yaml'))
    .map((path) => parse(readFileSync(join(folder, path), 'utf8')));
  const packages = MODULE_TOOLS.map((tool) => ({ ...tool, apt: tool.packages.apt.split(' ') }));

  it('include every package that a built-in module lists', () => {
    const available = new Set([...ALWAYS, ...packages.flatMap(({ apt }) => apt)]);
    const named = modules.flatMap(({ name, packages: its }) =>
      (its?.apt ?? []).map((/** @type {string} */ one) => [name, one]),
    );
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter(([, one]) => !available.has(one))).toEqual([]);
  });

  it.each(packages.filter(({ command }) => command !== 'python3'))(
    'list the modules that need $command',
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
