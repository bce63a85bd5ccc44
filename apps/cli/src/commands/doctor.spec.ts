import { expect, it } from '@jest/globals';
import { compareClocks, compareVersions } from './doctor.js';

it.each([
  ['0.1.0', '0.1.7', true],
  ['0.2.0', '0.1.0', false],
  ['1.4.0', '1.0.3', true],
  ['2.0.0', '1.9.9', false],
  ['10.0.0', '1.0.0', false],
  [undefined, '0.1.0', true],
] as const)('a server of version %s and a command line of version %s: compatible is %s', (server, own, ok) => {
  expect(compareVersions(server, own).ok).toBe(ok);
});

it('an incompatible version is named with the command that installs the other', () => {
  expect(compareVersions('0.2.1', '0.1.0').message).toBe(
    'the server has 0.2.1, this command line 0.1.0. To get the one of the server: npm install --global @millrace/cli@0.2.1',
  );
});

it.each([
  [100_000, 'ahead of'],
  [-100_000, 'behind'],
])('a clock that differs by %s ms is %s that of the server', (difference, direction) => {
  const finding = compareClocks(1_000_000, 1_000_000 + difference);
  expect(finding).toMatchObject({ ok: false, message: expect.stringContaining(`100 s ${direction} the server's`) });
});
