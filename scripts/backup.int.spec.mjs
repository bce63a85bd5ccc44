import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { REFERENCES } from '../apps/runs/src/contents/testing/seed-references.ts';
import { Database } from '../libs/persistence/src/database.ts';
import { eventually } from '../libs/testkit/src/eventually.ts';
import { freshDatabase } from '../libs/testkit/src/fresh-database.ts';
import { savedObject, TestInstallation } from './lib/backup/testing/run-backup-commands.mjs';

/** @type {import('../libs/testkit/src/fresh-database.ts').FreshDatabase} */
let fresh;
/** @type {TestInstallation} */
let installation;
/** @type {Database} */
let database;
beforeAll(async () => {
  fresh = await freshDatabase();
  installation = new TestInstallation(fresh.url);
  database = new Database({ url: fresh.url, service: 'runs', connections: 2 });
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
  installation.remove();
});

const backup = (...more) => installation.run('backup', [installation.backups, ...more]);
const put = async (/** @type {string | Buffer} */ content) =>
  (await installation.store.put(Buffer.from(content))).sha256;
const addFile = (/** @type {string} */ sha256) => REFERENCES['a stored file']?.(database.client, sha256);

describe('npm run backup', () => {
  it('copies each object that any kind of row refers to, and no other', async () => {
    const referenced = [];
    for (const [kind, add] of Object.entries(REFERENCES)) {
      const sha256 = await put(kind);
      await add(database.client, sha256);
      referenced.push(sha256);
    }
    const unused = await put('unused');
    // The seeded rows also refer to an object that does not exist.
    const { code, output } = await backup();
    expect(output).toContain('missing in the object store or damaged there: 1, such as ffffffff');
    expect(code).toBe(3);
    const folder = installation.newest();
    expect(referenced.filter((sha256) => !existsSync(savedObject(folder, sha256)))).toEqual([]);
    expect(existsSync(savedObject(folder, unused))).toBe(false);
    await fresh.query('DELETE FROM runs.run');
  });

  it('shares the objects that the backup before has, and copies the others', async () => {
    const [old, added] = [await put('old'), await put('new')];
    await addFile(old);
    expect(await backup()).toMatchObject({ code: 0 });
    const first = installation.newest();
    await addFile(added);
    expect((await backup()).output).toMatch(/ objects, 1 of them new/);
    const second = installation.newest();
    expect(statSync(savedObject(second, old)).ino).toBe(statSync(savedObject(first, old)).ino);
    rmSync(first, { recursive: true });
    expect((await installation.run('backup-verify', [second])).output).toContain('The backup is complete.');
  });

  it('that is killed leaves no backup, and the next one continues with the copied objects', async () => {
    const before = installation.newest();
    const blocked = await put('blocked');
    await addFile(blocked);
    // Reading from a pipe without a writer takes forever.
    const path = installation.store.pathOf(blocked);
    unlinkSync(path);
    execFileSync('mkfifo', [path]);
    const killed = installation.start('backup', [installation.backups]);
    const part = `${blocked.slice(2)}.part`;
    const findPart = () =>
      readdirSync(installation.backups, { recursive: true }).find((name) => String(name).endsWith(part));
    await eventually(() => expect(findPart()).toContain('.unfinished'));
    killed.kill('SIGKILL');
    await new Promise((resolve) => killed.once('exit', resolve));
    expect(installation.newest()).toBe(before);
    unlinkSync(path);
    await installation.store.put(Buffer.from('blocked'));
    await eventually(async () => expect(await backup()).toMatchObject({ code: 0 }));
    expect(installation.newest()).not.toBe(before);
    expect(readdirSync(installation.backups).filter((name) => name.endsWith('.unfinished'))).toEqual([]);
  });

  it('on a full disk fails with the reason, and leaves the earlier backups alone', async () => {
    const small = join(installation.folder, 'small');
    mkdirSync(small);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'millrace-test', small]);
    try {
      expect(await installation.run('backup', [small])).toMatchObject({ code: 0 });
      await addFile(await put(Buffer.alloc(4_000_000, 'x')));
      const { code, output } = await installation.run('backup', [small]);
      expect(output).toContain('the disk is full');
      expect(code).toBe(1);
      expect(readdirSync(small)).toHaveLength(1);
      expect((await installation.run('backup-verify', [small])).output).toContain('The backup is complete.');
    } finally {
      execFileSync('umount', ['--lazy', small]);
    }
  });

  it('with --verify and --keep checks the new backup, and then deletes the oldest ones', async () => {
    const folder = join(installation.folder, 'kept');
    const save = () => installation.run('backup', [folder, '--verify', '--keep', '2']);
    expect((await save()).output).toContain('The backup is complete.');
    const [first = ''] = readdirSync(folder);
    await eventually(async () => expect(await save()).toMatchObject({ code: 0 }));
    const { output } = await eventually(async () => {
      const third = await save();
      expect(third.code).toBe(0);
      return third;
    });
    expect(output).toContain(`Deleted ${join(folder, first)}`);
    const kept = readdirSync(folder);
    expect(kept).toHaveLength(2);
    expect(kept).not.toContain(first);
    expect((await installation.run('backup-verify', [folder])).output).toContain('The backup is complete.');
  });

  it('with --keep deletes nothing if the new backup has a problem', async () => {
    const folder = join(installation.folder, 'damaged');
    expect(await installation.run('backup', [folder])).toMatchObject({ code: 0 });
    const lost = await put('lost');
    await addFile(lost);
    unlinkSync(installation.store.pathOf(lost));
    const { code, output } = await eventually(async () => {
      const second = await installation.run('backup', [folder, '--keep', '1']);
      expect(second.output).not.toContain('Start the backup again in a second');
      return second;
    });
    expect([code, output]).toEqual([3, expect.stringContaining('missing in the object store')]);
    const [, damaged = ''] = readdirSync(folder);
    expect(readFileSync(join(folder, damaged, 'problems.txt'), 'utf8')).toContain('missing in the object store');
    expect(readdirSync(folder)).toHaveLength(2);
    await fresh.query('DELETE FROM workflows.file WHERE sha256 = $1', [lost]);
  });

  it('refuses to keep no backup', async () => {
    const { code, output } = await backup('--keep', '0');
    expect([code, output]).toEqual([2, expect.stringContaining('--keep must be a number from 1 to 999999 (got 0).')]);
  });

  it('refuses a folder that would be lost together with the data', async () => {
    const { code, output } = await installation.run('backup', [join(installation.folder, 'data', 'backups')]);
    expect(output).toContain('would be lost together with it');
    expect(code).toBe(1);
  });
});
