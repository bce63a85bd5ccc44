import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { savedObject } from './lib/backup/testing/run-backup-commands.mjs';
import { flipByte, SeededBackup } from './lib/backup/testing/seeded-backup.mjs';

/** @type {SeededBackup} */
let seeded;
beforeAll(async () => {
  seeded = await SeededBackup.make();
});
afterAll(() => seeded.remove());

describe('npm run backup:verify', () => {
  it('finds nothing wrong with a backup, and opens its encrypted values with the keys', async () => {
    const { code, output } = await seeded.from.run('backup-verify', [seeded.from.backups, ...seeded.keys]);
    expect(output).toMatch(/ 2 encrypted values\n[^]*The backup is complete/);
    expect(code).toBe(0);
  });

  it('lists everything that is damaged or missing', async () => {
    const damaged = seeded.damage((folder) => {
      flipByte(join(folder, 'tables', 'auth.user.copy.zst'));
      rmSync(join(folder, 'tables', 'auth.vault.copy.zst'));
      rmSync(savedObject(folder, seeded.object));
      const other = 'ab'.padEnd(64, '0');
      mkdirSync(join(savedObject(folder, other), '..'), { recursive: true });
      writeFileSync(savedObject(folder, other), 'an object');
    });
    const { code, output } = await seeded.from.run('backup-verify', [
      damaged,
      '--keys',
      join(seeded.from.folder, 'none.json'),
    ]);
    expect(output).toContain('auth.user.copy.zst is damaged');
    expect(output).toContain('auth.vault.copy.zst is missing');
    expect(output).toContain(`Object ${seeded.object}, to which rows refer, is missing`);
    expect(output).toMatch(/ab\/0+ is damaged: its content has another hash than its name/);
    expect(output).toContain('The encrypted values were not checked');
    expect(code).toBe(1);
  });

  it('reports keys that do not open the values', async () => {
    const wrong = join(seeded.from.folder, 'wrong.json');
    const right = JSON.parse(readFileSync(join(seeded.from.folder, 'keys.json'), 'utf8'));
    right.masterKeys[0].key = Buffer.alloc(32, 8).toString('base64url');
    writeFileSync(wrong, JSON.stringify(right));
    const { output } = await seeded.from.run('backup-verify', [seeded.backup, '--keys', wrong]);
    expect(output).toContain('The keys do not open the data key of vault');
  });
});
