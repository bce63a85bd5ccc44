import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { registryHeaders, registryOf } from './registry-credentials.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-registry-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const save = (content: unknown) => writeFileSync(join(folder, 'config.json'), JSON.stringify(content));
const base64 = (text: string) => Buffer.from(text).toString('base64');
const read = (image: string) => {
  const header = registryHeaders(image, folder)['x-registry-auth'];
  return header === undefined ? null : (JSON.parse(Buffer.from(header, 'base64url').toString()) as unknown);
};

it.each([
  ['debian:12', 'docker.io'],
  ['curlimages/curl:8', 'docker.io'],
  ['localhost/a', 'localhost'],
  ['registry:5000/a/b:1', 'registry:5000'],
  ['ghcr.io/a/b', 'ghcr.io'],
])('the image %s is in the registry %s', (image, registry) => {
  expect(registryOf(image)).toBe(registry);
});

it('the credentials of an image are those of its registry', () => {
  save({
    auths: {
      'https://index.docker.io/v1/': { auth: base64('hub:a:b') },
      'ghcr.io': { username: 'robot', password: 'secret' },
      'quay.io': { identitytoken: 'token' },
    },
  });
  expect(read('debian')).toEqual({ username: 'hub', password: 'a:b', serveraddress: 'https://index.docker.io/v1/' });
  expect(read('ghcr.io/a')).toEqual({ username: 'robot', password: 'secret', serveraddress: 'ghcr.io' });
  expect(read('quay.io/a')).toEqual({ identitytoken: 'token', serveraddress: 'quay.io' });
  expect(read('other.io/a')).toBeNull();
});

it('there are no credentials without a file', () => {
  expect(read('debian')).toBeNull();
});

it('a file that cannot be read is an error that does not show its content', () => {
  writeFileSync(join(folder, 'config.json'), '{"auths": secret');
  expect(() => read('debian')).toThrow('config.json: it is not JSON.');
});
