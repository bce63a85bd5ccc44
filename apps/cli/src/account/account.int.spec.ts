import { chmod, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MillraceClient } from '@millrace/client';
import { applyGlobalOptions, type CliEnv } from '../env.js';
import { chooseServer, findLocalServer } from './choose-server.js';
import { connect } from './connect.js';
import { CredentialsFile, saveAccount, StoredSession } from './credentials-file.js';
import { Prompt } from './prompt.js';
import { withLock } from './with-lock.js';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-cli-'));
  file = join(folder, 'millrace', 'credentials.json');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const env = (more: Partial<CliEnv> = {}): CliEnv => ({
  url: null,
  token: null,
  profile: null,
  dataDir: join(folder, 'data'),
  credentialsFile: file,
  versionsFile: join(folder, 'millrace', 'versions.json'),
  hasDisplay: false,
  hasCursor: true,
  isGitHub: false,
  ...more,
});
const session = { access: 'a.b.c', refresh: 'r', expiresAt: '2030-01-01T00:00:00.000Z' };

describe('the credentials file', () => {
  it('is readable only by its owner', async () => {
    await saveAccount(file, 'http://a', { token: 't' });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await new CredentialsFile(file).read()).toEqual({
      current: 'a',
      profiles: { a: { url: 'http://a', token: 't' } },
    });
  });

  it('that others can read is protected when it is read', async () => {
    await saveAccount(file, 'http://a', { token: 't' });
    await chmod(file, 0o644);
    await new CredentialsFile(file).read();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('has space for a new session before the old one is used up, and leaves no drafts', async () => {
    await saveAccount(file, 'http://a', { session });
    const isFull = Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'write' });
    class FullDisk extends CredentialsFile {
      override reserve(): Promise<never> {
        return Promise.reject(isFull);
      }
    }
    let isCalled = false;
    const renewal = new StoredSession(new FullDisk(file), 'a').exclusively(async () => {
      await Promise.resolve();
      isCalled = true;
    });
    await expect(renewal).rejects.toBe(isFull);
    expect(isCalled).toBe(false);
    const stored = new StoredSession(new CredentialsFile(file), 'a');
    await expect(stored.exclusively(() => Promise.reject(new Error('no server')))).rejects.toThrow('no server');
    const fresh = { ...session, refresh: 'next' };
    await stored.exclusively(() => stored.write(fresh));
    expect(await stored.read()).toEqual(fresh);
    expect(await readdir(join(folder, 'millrace'))).toEqual(['credentials.json']);
  });

  it('contains the accounts on several servers', async () => {
    await saveAccount(file, 'http://a', { token: 't' });
    await saveAccount(file, 'http://b', { email: 'x@y.z', session });
    const { current, profiles } = await new CredentialsFile(file).read();
    expect(current).toBe('b');
    expect(Object.keys(profiles)).toEqual(['a', 'b']);
  });

  it('contains several accounts on one server under the names of their profiles', async () => {
    await saveAccount(file, 'http://a', { token: 't' });
    await saveAccount(file, 'http://a', { token: 'u' }, 'work');
    await saveAccount(file, 'http://a', { token: 'v' });
    const { current, profiles } = await new CredentialsFile(file).read();
    expect(current).toBe('work');
    expect(profiles).toEqual({ a: { url: 'http://a', token: 't' }, work: { url: 'http://a', token: 'v' } });
  });

  it('of an earlier version becomes profiles without loss', async () => {
    const servers = { 'http://a:1': { email: 'x@y.z', session }, 'https://a:1': { token: 't' } };
    await mkdir(join(folder, 'millrace'));
    await writeFile(file, JSON.stringify({ current: 'https://a:1', servers }));
    const expected = {
      current: 'a:1-2',
      profiles: {
        'a:1': { url: 'http://a:1', email: 'x@y.z', session },
        'a:1-2': { url: 'https://a:1', token: 't' },
      },
    };
    expect(await new CredentialsFile(file).read()).toEqual(expected);
    await new CredentialsFile(file).change((credentials) => credentials);
    expect(await new CredentialsFile(file).read()).toEqual(expected);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('is not overwritten if it is damaged', async () => {
    await saveAccount(file, 'http://a', { token: 't' });
    await writeFile(file, '{');
    await expect(new CredentialsFile(file).read()).rejects.toThrow('damaged');
  });

  it('contains a session that commands renew one at a time', async () => {
    await saveAccount(file, 'http://a', { session });
    const steps: string[] = [];
    const renew = (name: string) =>
      new StoredSession(new CredentialsFile(file), 'a').exclusively(async () => {
        steps.push(`${name} in`);
        await sleep(30);
        steps.push(`${name} out`);
      });
    await Promise.all([renew('one'), renew('two')]);
    expect([steps[0]?.slice(-2), steps[1]?.slice(-3), steps[2]?.slice(-2)]).toEqual(['in', 'out', 'in']);
    const stored = new StoredSession(new CredentialsFile(file), 'a');
    await stored.write({ ...session, refresh: 'r2' });
    expect(await stored.read()).toMatchObject({ refresh: 'r2' });
  });
});

it('withLock takes over the lock of a killed process', async () => {
  const lock = join(folder, 'lock');
  await mkdir(lock);
  const old = new Date(Date.now() - 60_000);
  await utimes(lock, old, old);
  expect(await withLock(lock, () => Promise.resolve('in'))).toBe('in');
  await expect(stat(lock)).rejects.toThrow();
});

describe('the server of a command', () => {
  const runLocally = async (address: string) => {
    await mkdir(join(folder, 'data'));
    await writeFile(join(folder, 'data', 'state.json'), JSON.stringify({ address, phase: 'ready' }));
  };

  it('is the named server, else the server of the last sign-in, else the local server', async () => {
    await runLocally('http://127.0.0.1:9000');
    expect(await chooseServer(env())).toBe('http://127.0.0.1:9000');
    await saveAccount(file, 'http://a', { token: 't' });
    expect(await chooseServer(env())).toBe('http://a');
    expect(await chooseServer(env({ url: 'http://e/' }))).toBe('http://e');
    const named = env({ url: 'http://e' });
    applyGlobalOptions(named, { url: 'http://n/api' });
    expect(await chooseServer(named)).toBe('http://n');
  });

  it('is the server in the environment, with its token, even if the credentials file is damaged', async () => {
    await saveAccount(file, 'http://a', { token: 't' });
    await writeFile(file, '{');
    const client = await connect(env({ url: 'http://127.0.0.1:1', token: 'secret' }));
    expect(client).toBeInstanceOf(MillraceClient);
    await expect(connect(env({ url: 'http://127.0.0.1:1' }))).rejects.toThrow('damaged');
    await expect(chooseServer(env())).rejects.toThrow('damaged');
  });

  it('is the local server of a folder above the current folder', async () => {
    await mkdir(join(folder, '.millrace'));
    await mkdir(join(folder, 'deep', 'er'), { recursive: true });
    await writeFile(join(folder, '.millrace', 'state.json'), JSON.stringify({ address: 'http://127.0.0.1:7' }));
    expect(await findLocalServer(null, join(folder, 'deep', 'er'))).toBe('http://127.0.0.1:7');
  });

  it.each(['http://localhost:7', 'http://[::1]:7', 'http://127.0.0.1:7'])(
    'is the local server at %s',
    async (address) => {
      await runLocally(address);
      expect(await chooseServer(env())).toBe(address);
    },
  );

  it.each([
    'https://evil.example',
    'http://10.0.0.7:8080',
    'http://localhost.evil.example',
    'http://127.0.0.1@evil.example',
    'ftp://127.0.0.1',
  ])('is not the address %s in a state file, because it is not on this machine', async (address) => {
    await runLocally(address);
    expect(await findLocalServer(join(folder, 'data'), folder)).toBeNull();
    expect(await chooseServer(env())).toBe('http://127.0.0.1:8080');
  });

  it('is reported with instructions if it does not respond', async () => {
    await expect(connect(env({ url: 'http://127.0.0.1:1' }))).rejects.toThrow('npm run up');
    await expect(connect(env({ url: 'http://nowhere.invalid' }))).rejects.toThrow('Check the address');
  });
});

describe('a prompt', () => {
  it('reads lines from a pipe', async () => {
    const input = new PassThrough();
    const prompt = new Prompt(input, new PassThrough());
    input.end('me@a.b\nsecret word\n');
    expect(await prompt.readLine('Email: ')).toBe('me@a.b');
    expect(await prompt.readLine('Password: ', { secret: true })).toBe('secret word');
    await expect(prompt.readLine('More: ')).rejects.toThrow('The input ended before a line for "More:".');
    prompt.close();
  });

  it('does not show a secret at a terminal', async () => {
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const screen = new PassThrough();
    const prompt = new Prompt(input, screen);
    const password = prompt.readLine('Password: ', { secret: true });
    input.write('hunter2hunter2\r');
    expect(await password).toBe('hunter2hunter2');
    prompt.close();
    expect(String(screen.read())).not.toContain('hunter2');
  });
});
