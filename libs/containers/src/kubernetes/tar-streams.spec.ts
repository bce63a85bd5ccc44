import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { packInputs } from './tar-streams.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-pack-'));
  for (const name of ['work', 'in', 'step']) mkdirSync(join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true }));

const pack = () =>
  packInputs({
    ...{ work: join(folder, 'work'), input: join(folder, 'in'), step: join(folder, 'step') },
    output: join(folder, 'work', 'out'),
  });

describe('the archive of the inputs', () => {
  it('is complete although another step links a file that is being read', async () => {
    const file = join(folder, 'in', 'large');
    // More than tar can write before somebody reads, so the link comes while it reads the file.
    writeFileSync(file, randomBytes(8 * 1024 * 1024));
    let bytes = 0;
    for await (const chunk of pack() as AsyncIterable<Buffer>) {
      if (bytes === 0) linkSync(file, join(folder, 'other'));
      bytes += chunk.length;
    }
    expect(bytes).toBeGreaterThan(8 * 1024 * 1024);
  });

  it('fails with its reason if it cannot be made, also if nobody reads it yet', async () => {
    rmSync(join(folder, 'in'), { recursive: true });
    const archive = pack();
    await new Promise((resolve) => archive.once('close', resolve));
    await expect(archive.toArray()).rejects.toThrow('tar failed with 2');
  });
});
