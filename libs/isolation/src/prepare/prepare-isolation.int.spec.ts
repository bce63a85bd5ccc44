import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { canHaveUserPerSlot } from '../testing/can-have-user-per-slot.js';
import { IsolationUnavailableError, prepareIsolation } from './prepare-isolation.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-isolation-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('isolation', () => {
  it('is there where bubblewrap works', async () => {
    expect(await prepareIsolation('required', folder)).toMatchObject({ mode: 'sandbox' });
  });

  it('without bubblewrap is refused with the name of the package to install', async () => {
    const prepared = prepareIsolation('required', folder, { searchPath: folder });
    await expect(prepared).rejects.toThrow(IsolationUnavailableError);
    await expect(prepared).rejects.toThrow('bubblewrap is not installed');
  });

  it('is not claimed where steps could read the data all the same', async () => {
    await expect(prepareIsolation('required', folder, { hidden: ['/usr/local/millrace'] })).rejects.toThrow(
      '/usr/local/millrace lies below /usr',
    );
  });

  it('can be switched off; a worker that is root then gives each slot a user of its own', async () => {
    expect(await prepareIsolation('off', folder)).toMatchObject({ mode: 'off', hasUserPerSlot: canHaveUserPerSlot() });
  });

  it('switched off in a folder that other users cannot reach leaves commands the user of the worker', async () => {
    const closed = join(folder, 'closed');
    mkdirSync(join(closed, 'worker-1'), { recursive: true });
    chmodSync(closed, 0o700);
    expect(await prepareIsolation('off', join(closed, 'worker-1'))).toMatchObject({
      mode: 'off',
      hasUserPerSlot: false,
    });
  });
});
