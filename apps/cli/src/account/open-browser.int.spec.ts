import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canOpenBrowser, openBrowser } from './open-browser.js';

let folder: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-browser-'));
  env = { PATH: [folder, '/bin', '/usr/bin'].join(delimiter) };
  const command = join(folder, 'xdg-open');
  await writeFile(command, `#!/bin/sh\nprintf '%s;' "$*" >> "${folder}/opened"\n`);
  await chmod(command, 0o755);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Waits until `address` has been opened, and returns all opened addresses. */
async function waitUntilOpened(address: string): Promise<string[]> {
  for (let tries = 0; tries < 250; tries += 1) {
    const opened = (await readFile(join(folder, 'opened'), 'utf8').catch(() => '')).split(';');
    if (opened.includes(address)) return opened;
    await sleep(20);
  }
  throw new Error(`${address} was not opened`);
}

describe('openBrowser', () => {
  it('passes the address as one argument that no shell parses', async () => {
    const address = 'http://127.0.0.1:8080/device?user_code=BCDF-GHJK&x=$(id)';
    openBrowser(address, 'linux', env);
    expect(await waitUntilOpened(address)).toContain(address);
  });

  it('opens only addresses of pages', async () => {
    for (const address of ['file:///etc/passwd', 'javascript:alert(1)', '--help', ''])
      openBrowser(address, 'linux', env);
    openBrowser('https://after.example/', 'linux', env);
    const opened = await waitUntilOpened('https://after.example/');
    expect(opened.filter((address) => address !== '' && !address.startsWith('http'))).toEqual([]);
  });

  it('ignores a missing browser', async () => {
    openBrowser('http://a.example/', 'linux', { PATH: '/nowhere' });
    await sleep(100);
  });
});

describe('canOpenBrowser', () => {
  it.each([
    ['a desktop', { platform: 'linux', isTerminal: true, hasDisplay: true }, true],
    ['a server', { platform: 'linux', isTerminal: true, hasDisplay: false }, false],
    ['a script on a desktop', { platform: 'linux', isTerminal: false, hasDisplay: true }, false],
    ['a Mac', { platform: 'darwin', isTerminal: true, hasDisplay: false }, true],
    ['a system without a known command', { platform: 'aix', isTerminal: true, hasDisplay: true }, false],
  ] as const)('decides for %s', (_, environment, expected) => {
    expect(canOpenBrowser(environment)).toBe(expected);
  });
});
