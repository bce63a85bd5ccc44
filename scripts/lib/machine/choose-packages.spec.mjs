import { describe, expect, it } from '@jest/globals';
import { findManager, installAdvice, missingTools, packagesFor } from './choose-packages.mjs';

const nothing = () => undefined;
const only =
  (/** @type {string[]} */ ...names) =>
  (/** @type {string} */ name) =>
    names.includes(name) ? `/usr/bin/${name}` : undefined;
const commands = (/** @type {import('./choose-packages.mjs').Tool[]} */ tools) => tools.map(({ command }) => command);

describe('missingTools', () => {
  it('names all four on a bare Linux', () => {
    expect(commands(missingTools({}, 'linux', nothing))).toEqual(['redis-server', 'nats-server', 'bwrap', 'perl']);
  });

  it('needs no server whose address is given', () => {
    const env = { REDIS_URL: 'redis://there', NATS_URL: 'nats://there' };
    expect(commands(missingTools(env, 'linux', only('perl')))).toEqual(['bwrap']);
  });

  it('names nothing that is there', () => {
    expect(missingTools({}, 'linux', only('redis-server', 'nats-server', 'bwrap', 'perl'))).toEqual([]);
  });

  it('asks for bubblewrap on Linux only, and never requires it', () => {
    expect(commands(missingTools({}, 'darwin', nothing))).toEqual(['redis-server', 'nats-server']);
    const [bubblewrap] = missingTools({}, 'linux', only('redis-server', 'nats-server', 'perl'));
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
    expect(installAdvice(manager, missingTools({}, 'linux', nothing)).trim()).toBe(advice);
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
    expect(packagesFor(brew, missingTools({}, 'darwin', nothing))).toEqual(['redis', 'nats-server']);
  });
});
